class Queue
  def initialize
    @items = []
  end

  def push(item)
    @items.push(item)
  end

  def pop
    @items.shift
  end
end
