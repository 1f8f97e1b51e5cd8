package shop;

public final class Price {
    private final int cents;

    public Price(int cents) {
        this.cents = cents;
    }

    public int cents() {
        return cents;
    }
}
