import type { Static } from '@sinclair/typebox'
import type { WebhookList } from '../../api/schemas/operator-schemas.ts'
import { shownValue } from '../../api/shown-value.ts'
import { type Call, command, type Options, UsageError, withValue } from '../arguments/command.ts'
import { omitUndefined, readKinds, readOptional, readTokenId } from '../arguments/read-values.ts'
import { readUrl, serverOptions } from '../connection/connect.ts'
import type { CommandResult, Line } from '../terminal/output.ts'
import { rows, timeText } from '../terminal/value-text.ts'
import { operatorCalls } from './operator.ts'

const options = {
  kind: withValue(
    'KIND,KIND',
    'With add: only events of these kinds, as in sale,dollar-sale. Default: all.',
  ),
  token: withValue('ID', 'With add: only events of this token.'),
  ...serverOptions,
} as const satisfies Options

type WebhookCall = Call<'ACTION' | 'TARGET', typeof options>

/** Lists, adds and removes webhooks. */
export const webhook = command({
  about: 'Lists, adds or removes the webhooks of a server, which get events as they happen.',
  more: [
    'The secret that signs the deliveries is printed once, by add. Where the server has API keys, HEIRLOOM_API_KEY must have the scope admin.',
  ],
  words: [
    { name: 'ACTION', about: 'list, add or remove.', choices: ['list', 'add', 'remove'] },
    { name: 'TARGET', about: 'The URL to add, or the id to remove.', optional: true },
  ],
  options,
  examples: {
    'Show the webhooks, and what blocks them:': 'heirloom webhook list',
    'Send each sale to a URL:':
      'heirloom webhook add https://example.com/heirloom --kind sale,dollar-sale',
    'Remove a webhook:': 'heirloom webhook remove 8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  run: async (call) => {
    const actions = { list, add, remove }
    await call.output.result(await actions[call.words.ACTION as keyof typeof actions](call))
  },
})

async function list(call: WebhookCall): Promise<CommandResult> {
  requireNoFilter(call)
  if (call.words.TARGET !== undefined) {
    throw new UsageError('heirloom webhook list takes no TARGET: it lists all webhooks.')
  }
  const value = await operatorCalls(call).webhooks({ signal: call.signal })
  const lines = value.items.flatMap((it, at) => [...(at === 0 ? [] : ['']), ...linesOf(it)])
  return { value, lines: lines.length === 0 ? ['There is no webhook.'] : lines }
}

async function add(call: WebhookCall): Promise<CommandResult> {
  const { kind, token } = call.options
  const body = {
    url: readUrl('TARGET', targetOf(call, 'the URL that gets the events')).href,
    ...omitUndefined({
      kinds: readOptional(readKinds, '--kind', kind),
      tokenId: readOptional(readTokenId, '--token', token),
    }),
  }
  const value = await operatorCalls(call).addWebhook(body, { signal: call.signal })
  const secret = `${value.secret}  (signs the deliveries, and is not shown again)`
  return {
    value,
    lines: rows([
      ['Id', value.id],
      ['URL', value.url],
      ['Secret', secret],
    ]),
  }
}

/** The form of an id; the server refuses another one in words of its own. */
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function remove(call: WebhookCall): Promise<CommandResult> {
  requireNoFilter(call)
  const id = targetOf(call, 'the id of the webhook, as heirloom webhook list shows it')
  if (!idPattern.test(id)) {
    throw new UsageError(
      `TARGET must be the id of a webhook, as heirloom webhook list shows it${shownValue(id)}.`,
    )
  }
  await operatorCalls(call).removeWebhook(id, { signal: call.signal })
  return { value: { id }, lines: [`${id} is removed.`] }
}

function targetOf({ words: { ACTION, TARGET } }: WebhookCall, what: string): string {
  if (TARGET !== undefined) return TARGET
  throw new UsageError(`heirloom webhook ${ACTION} needs a TARGET: ${what}.`)
}

function requireNoFilter({ words: { ACTION }, options: { kind, token } }: WebhookCall): void {
  if ((kind ?? token) === undefined) return
  throw new UsageError(`--kind and --token are for heirloom webhook add, not for ${ACTION}.`)
}

type Webhook = Static<typeof WebhookList>['items'][number]

const linesOf = ({ id, url, kinds, tokenId, delivered, failing }: Webhook): readonly Line[] =>
  rows([
    ['Id', id],
    ['URL', url],
    ['Events', `${kinds?.join(', ') ?? 'all'}${tokenId === null ? '' : ` of token ${tokenId}`}`],
    ['Delivered', delivered ?? 'none yet'],
    ...(failing === null
      ? []
      : [
          [
            'Failing',
            `${failing.problem}, ${failing.attempts} times; again at ${timeText(failing.nextAt)}`,
          ] as const,
        ]),
  ])
