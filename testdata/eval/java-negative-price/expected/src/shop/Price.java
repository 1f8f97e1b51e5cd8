package shop;

public final class Price {
    private final int cents;

    public Price(int cents) {
        if (cents < 0) {
            throw new IllegalArgumentException("a price is at least 0");
        }
        this.cents = cents;
    }

    public int cents() {
        return cents;
    }
}
