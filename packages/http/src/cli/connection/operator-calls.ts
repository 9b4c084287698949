import type { Static, TSchema } from '@sinclair/typebox'
import { OperatorRecord } from '../../api/operator-schemas.ts'
import { type WebhookBody, WebhookList, WebhookMade } from '../../api/webhook-schemas.ts'
import { decodeResponse } from '../../client/transport/decode-response.ts'
import { encodeJson } from '../../client/transport/encode-values.ts'
import { readWhole } from '../../client/transport/read-whole.ts'
import { type CallOptions, createTransport } from '../../client/transport/transport.ts'
import type { Call } from '../arguments/command.ts'
import { checkAnswer } from './check-answer.ts'
import { apiKeyOf, type serverOptions, serverUrl } from './connect.ts'

type OperatorCall = Pick<Call<never, typeof serverOptions>, 'terminal' | 'options'>
type Options = Pick<CallOptions, 'signal'>

/** The calls that only the operator of a server may make. Each fails with a `HeirloomError`. */
export type OperatorCalls = {
  /** Returns the tenants and the last failures of the server. */
  readonly operator: (options: Options) => Promise<Static<typeof OperatorRecord>>
  /** Returns all webhooks, without their secrets. */
  readonly webhooks: (options: Options) => Promise<Static<typeof WebhookList>>
  /** Adds a webhook. It is sent once, because a repetition would add another one. */
  readonly addWebhook: (body: WebhookBody, options: Options) => Promise<Static<typeof WebhookMade>>
  /** Removes a webhook. */
  readonly removeWebhook: (id: string, options: Options) => Promise<void>
}

/** Returns the operator's calls of a server, with the API key of the environment. */
export function operatorCalls(call: OperatorCall): OperatorCalls {
  const key = apiKeyOf(call.terminal.env.HEIRLOOM_API_KEY)
  const { send, open } = createTransport({ url: serverUrl(call), ...key })
  const read = async <T extends TSchema>(path: string, schema: T, options: Options) =>
    checkAnswer(path, schema, decodeResponse(await send({ method: 'GET', path, options })))
  return {
    operator: (options) => read('/api/operator', OperatorRecord, options),
    webhooks: (options) => read('/api/webhooks', WebhookList, options),
    addWebhook: async (given, options) => {
      const body = encodeJson(given)
      const response = await open({ method: 'POST', path: '/api/webhooks', body, options })
      const made = decodeResponse({ status: response.status, bytes: await readWhole(response) })
      return checkAnswer('/api/webhooks', WebhookMade, made)
    },
    removeWebhook: async (id, options) => {
      await send({ method: 'DELETE', path: `/api/webhooks/${encodeURIComponent(id)}`, options })
    },
  }
}
