/** A wallet in the browser, as EIP-1193 has it. */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, call: (value: never) => void): void
  removeListener?(event: string, call: (value: never) => void): void
}

/** A wallet that told of itself, as EIP-6963 has it. */
export type Announced = {
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: Provider
}
