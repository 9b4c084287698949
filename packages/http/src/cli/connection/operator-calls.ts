import type { TSchema } from '@sinclair/typebox'
import { type AnswerOf, operations, type RequestOf } from '../../api/operations/operations.ts'
import { pathOf } from '../../api/operations/paths.ts'
import { decodeResponse } from '../../client/transport/decode-response.ts'
import { encodeJson } from '../../client/transport/encode-values.ts'
import { readWhole } from '../../client/transport/read-whole.ts'
import { requestLine } from '../../client/transport/request-line.ts'
import { type CallOptions, createTransport } from '../../client/transport/transport.ts'
import type { Call } from '../arguments/command.ts'
import { checkAnswer } from './answers.ts'
import { apiKeyOf, type serverOptions, serverUrl } from './connect.ts'

type OperatorCall = Pick<Call<never, typeof serverOptions>, 'terminal' | 'options'>
type Read = 'operator' | 'webhooks'
type Options = Pick<CallOptions, 'signal'>

/** The calls that only the operator of a server may make. Each fails with a `HeirloomError`. */
export type OperatorCalls = {
  /** Returns the tenants and the last failures of the server. */
  readonly operator: (options: Options) => Promise<AnswerOf<'operator'>>
  /** Returns all webhooks, without their secrets. */
  readonly webhooks: (options: Options) => Promise<AnswerOf<'webhooks'>>
  /** Adds a webhook. It is sent once, because a repetition would add another one. */
  readonly addWebhook: (
    body: RequestOf<'addWebhook'>['body'],
    options: Options,
  ) => Promise<AnswerOf<'addWebhook'>>
  /** Removes a webhook. */
  readonly removeWebhook: (id: string, options: Options) => Promise<void>
}

/** Returns the operator's calls of a server, with the API key of the environment. */
export function operatorCalls(call: OperatorCall): OperatorCalls {
  const key = apiKeyOf(call.terminal.env.HEIRLOOM_API_KEY)
  const { send, open } = createTransport({ url: serverUrl(call), ...key })
  const read = async <T extends TSchema>(name: Read, schema: T, options: Options) => {
    const answer = await send({ ...requestLine(name), options })
    return checkAnswer(pathOf(name), schema, decodeResponse(answer))
  }
  const { operator, webhooks, addWebhook } = operations
  return {
    operator: (options) => read('operator', operator.answers[200], options),
    webhooks: (options) => read('webhooks', webhooks.answers[200], options),
    addWebhook: async (given, options) => {
      const body = encodeJson(given)
      const response = await open({ ...requestLine('addWebhook'), body, options })
      const made = decodeResponse({ status: response.status, bytes: await readWhole(response) })
      return checkAnswer(pathOf('addWebhook'), addWebhook.answers[201], made)
    },
    removeWebhook: async (id, options) => {
      await send({ ...requestLine('removeWebhook', id), options })
    },
  }
}
