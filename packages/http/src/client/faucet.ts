import type { Recipient } from './requests.ts'
import type { Given } from './responses.ts'
import { decodeResponse } from './transport/decode-response.ts'
import { encodeJson } from './transport/encode-values.ts'
import { readWhole } from './transport/read-whole.ts'
import { requestLine } from './transport/request-line.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** Gives test dollars of the embedded chain to an account. */
export type Faucet = (address: Recipient, options?: Pick<CallOptions, 'signal'>) => Promise<Given>

/** Creates the call for test dollars. It is not repeated: each call is another gift. */
export const createFaucet =
  ({ open }: Transport): Faucet =>
  async (address, options = {}) => {
    const body = encodeJson({ address })
    const response = await open({ ...requestLine('faucet'), body, options })
    return decodeResponse<Given>({ status: response.status, bytes: await readWhole(response) })
  }
