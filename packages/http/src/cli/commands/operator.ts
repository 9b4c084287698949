import type { Static } from '@sinclair/typebox'
import type { OperatorRecord } from '../../api/operator-schemas.ts'
import { command } from '../arguments/command.ts'
import { serverOptions } from '../connection/connect.ts'
import { operatorCalls } from '../connection/operator-calls.ts'
import type { Line } from '../terminal/output.ts'
import { priceText, rows, timeText } from '../terminal/value-text.ts'

type State = Static<typeof OperatorRecord>

/** Shows the state of a server to its operator. */
export const operator = command({
  about: 'Shows the version of a server, its tenants, and what failed there lately.',
  more: ['Where the server has API keys, HEIRLOOM_API_KEY must have the scope admin.'],
  words: [],
  options: serverOptions,
  examples: [
    { line: 'heirloom operator', about: 'Show the state of a server:' },
    {
      line: 'heirloom operator --json | jq .failures',
      about: 'Print the last warnings and errors of its log, for a program:',
    },
  ],
  run: async (call) => {
    const value = await operatorCalls(call).operator({ signal: call.signal })
    await call.output.result({ value, lines: linesOf(value) })
    return 0
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
