/** A reason to refuse a delivery, and the status of the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}
