import type { Static, TSchema } from '@sinclair/typebox'
import { operations, type RequestOf } from '../../api/operations/operations.ts'
import { pathOf } from '../../api/operations/paths.ts'
import type { OperatorRecord } from '../../api/schemas/operator-schemas.ts'
import { decodeResponse, readWhole } from '../../client/transport/decode-response.ts'
import { encodeJson, requestLine } from '../../client/transport/request-line.ts'
import { type CallOptions, createTransport } from '../../client/transport/transport.ts'
import { type Call, command } from '../arguments/command.ts'
import { checkAnswer } from '../connection/answers.ts'
import { apiKeyOf, serverOptions, serverUrl } from '../connection/connect.ts'
import type { Line } from '../terminal/output.ts'
import { priceText, rows, timeText } from '../terminal/value-text.ts'

type OperatorCall = Pick<Call<never, typeof serverOptions>, 'terminal' | 'options'>
type Read = 'operator' | 'webhooks'
type CallSignal = Pick<CallOptions, 'signal'>

/**
 * Returns the calls that only the operator of a server may make, with the API key of the environment.
 * Each fails with a `HeirloomError`.
 */
export function operatorCalls(call: OperatorCall) {
  const key = apiKeyOf(call.terminal.env.HEIRLOOM_API_KEY)
  const { send, open } = createTransport({ url: serverUrl(call), ...key })
  const read = async <T extends TSchema>(name: Read, schema: T, options: CallSignal) => {
    const answer = await send({ ...requestLine(name), options })
    return checkAnswer(pathOf(name), schema, decodeResponse(answer))
  }
  const { operator, webhooks, addWebhook } = operations
  return {
    /** Returns the tenants and the last failures of the server. */
    operator: (options: CallSignal) => read('operator', operator.answers[200], options),
    /** Returns all webhooks, without their secrets. */
    webhooks: (options: CallSignal) => read('webhooks', webhooks.answers[200], options),
    /** Adds a webhook. It is sent once, because a repetition would add another one. */
    addWebhook: async (given: RequestOf<'addWebhook'>['body'], options: CallSignal) => {
      const body = encodeJson(given)
      const response = await open({ ...requestLine('addWebhook'), body, options })
      const made = decodeResponse({ status: response.status, bytes: await readWhole(response) })
      return checkAnswer(pathOf('addWebhook'), addWebhook.answers[201], made)
    },
    /** Removes a webhook. */
    removeWebhook: async (id: string, options: CallSignal): Promise<void> => {
      await send({ ...requestLine('removeWebhook', id), options })
    },
  }
}

type State = Static<typeof OperatorRecord>

/** Shows the state of a server to its operator. */
export const operator = command({
  about: 'Shows the version of a server, its tenants, and what failed there lately.',
  more: ['Where the server has API keys, HEIRLOOM_API_KEY must have the scope admin.'],
  words: [],
  options: serverOptions,
  examples: {
    'Show the state of a server:': 'heirloom operator',
    'Print the last warnings and errors of its log, for a program:':
      'heirloom operator --json | jq .failures',
  },
  run: async (call) => {
    const value = await operatorCalls(call).operator({ signal: call.signal })
    await call.output.result({ value, lines: linesOf(value) })
  },
})

const linesOf = ({ version, commit, startedAt, tenants, failures }: State): readonly Line[] =>
  rows([
    ['Version', commit === null ? version : `${version} (${commit})`],
    ['Started', millisecondsText(startedAt)],
    ...tenants.map(({ name, address, balance, isActive }) => {
      const holds = balance === null ? 'an unknown amount' : priceText('native', balance)
      const state = isActive ? '' : ', being removed'
      return ['Tenant', `${name}, ${address}, holds ${holds}${state}`] as const
    }),
    ...failures.map(({ at, level, message, cause }) => {
      const why = cause === undefined ? '' : `: ${cause}`
      return ['Log', `${millisecondsText(at)}  ${level}  ${message}${why}`] as const
    }),
    ...(failures.length === 0 ? [['Log', 'no warning and no error since the start'] as const] : []),
  ])

const millisecondsText = (milliseconds: string): string =>
  timeText(`${Math.floor(Number(milliseconds) / 1000)}`)
