/** A wallet provider (EIP-1193). */
export type Provider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, call: (value: never) => void): void
  removeListener?(event: string, call: (value: never) => void): void
}

/** An announced wallet (EIP-6963). */
export type AnnouncedWallet = {
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: Provider
}
