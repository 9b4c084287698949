/** The headers of a delivery, in lower case, and the exact bytes of its body. */
export type Delivery = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array | string
}
