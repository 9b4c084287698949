/** The prices of a listing. */
export type Prices<Amount> = {
  readonly price: Amount
  readonly rentalPricePerDay: Amount
  readonly forkPrice: Amount
}

/** Converts each price of a listing, by its name; leaves out what else a listing has. */
export const mapPrices = <From, To>(
  { price, rentalPricePerDay, forkPrice }: Prices<From>,
  convert: (amount: From, name: keyof Prices<From>) => To,
): Prices<To> => ({
  price: convert(price, 'price'),
  rentalPricePerDay: convert(rentalPricePerDay, 'rentalPricePerDay'),
  forkPrice: convert(forkPrice, 'forkPrice'),
})
