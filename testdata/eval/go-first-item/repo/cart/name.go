package cart

// Name is what customers see.
const Name = "cart"
