/** A page that a search names directly. */
export type Destination = { readonly path: string; readonly name: string }

/** Returns the page of the number or the address that a search consists of. */
export function findDestination(search: string): Destination | undefined {
  const text = search.trim()
  if (/^0x[\da-f]{40}$/i.test(text)) {
    return { path: `/account/${text}`, name: `the account ${text}` }
  }
  const [, tokenId] = /^(?:no\.?\s*|#\s*)?([1-9]\d{0,77})$/i.exec(text) ?? []
  return tokenId === undefined ? undefined : { path: `/token/${tokenId}`, name: `No. ${tokenId}` }
}
