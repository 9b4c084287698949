import type { ReadonlyStatic } from '../api/readonly-static.ts'
import type { RelayBody } from '../api/relay-schemas.ts'

/** The body of `POST /api/relay`: a call, or an order with its payment. */
export type RelayRequest = Pick<ReadonlyStatic<typeof RelayBody>, 'request' | 'payOrder'>
