class Queue
  def initialize
    @items = []
  end

  def push(item)
    @items.unshift(item)
  end

  def pop
    @items.shift
  end
end
