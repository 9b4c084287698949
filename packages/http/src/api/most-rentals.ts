/** How many rentals of a token are told at most. */
export const mostRentals = 100
