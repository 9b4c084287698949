/** An item as it is saved; other programs may add and change items of this form. */
export type ItemRecord = {
  readonly namespace: readonly string[]
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
  /** The times in ISO 8601. */
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}
