/** The most rentals of a token in one response. */
export const mostRentals = 100
