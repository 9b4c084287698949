import { heirDayLimits } from '@heirloom/core'
import { shownValue } from '../../api/shown-value.ts'
import type { Heir } from '../../client/responses.ts'
import { type Call, command, UsageError, withValue } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-values.ts'
import { connect } from '../connection/connect.ts'
import { ownDryRun } from '../connection/dry-run.ts'
import { findOwnAccount } from '../connection/find-account.ts'
import { actOptions, openOwnWallet, toActOptions } from '../connection/own-wallet.ts'
import { confirmPayment } from '../connection/writer.ts'
import type { Line } from '../terminal/output.ts'
import { rows, timeText } from '../terminal/value-text.ts'
import { takeOver } from './take-over.ts'

const options = {
  silence: withValue('DAYS', 'name: the days without a sign of life, 30 to 3650. Default: 180.'),
  notice: withValue(
    'DAYS',
    'name: the days from the announcement to the takeover, 30 to 3650. Default: 60.',
  ),
  tokens: withValue(
    'IDS',
    'take-over: the tokens, as in 7,8. Default: all, and the credit of the account.',
  ),
  after: withValue('CURSOR', 'show: continue the accounts whose heir it is after an earlier page.'),
  yes: { type: 'boolean', short: 'y', about: 'Do not ask before naming or taking over.' },
  ...actOptions,
} as const

type HeirCall = Call<'ACTION' | 'ADDRESS', typeof options>

const actions = {
  show,
  name,
  clear,
  heartbeat,
  announce,
  'take-over': (call: HeirCall) => takeOver(call, requireAddress(call)),
} as const

/** Shows and changes who takes over the tokens of an account. */
export const heir = command({
  about: 'Names who takes over the tokens of your own wallet once it is silent, or takes over.',
  more: [
    'show prints the heir of ADDRESS, or of your wallet. name makes ADDRESS your heir, and clear ends that. Making a token for yourself, giving one away and heartbeat are signs of life; listing and buying are none.',
    'After the silence the heir announces, and after the notice takes over the tokens of ADDRESS. A sign of life ends it at any time before.',
  ],
  words: [
    {
      name: 'ACTION',
      about: 'show, name, clear, heartbeat, announce or take-over.',
      choices: Object.keys(actions),
    },
    { name: 'ADDRESS', about: 'The heir to name, or else the account.', optional: true },
  ],
  options,
  examples: {
    'Show the heir of an account:': 'heirloom heir show 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    'Show the fees of naming an heir:':
      'heirloom heir name 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC --silence 365 --notice 90 --dry-run',
    'Show the fees of a sign of life:': 'heirloom heir heartbeat --dry-run',
  },
  run: async (call) => {
    await actions[call.words.ACTION as keyof typeof actions](call)
  },
})

async function show(call: HeirCall): Promise<void> {
  const address = call.words.ADDRESS ?? (await findOwnAccount(call.terminal))?.address
  if (address === undefined) throw new UsageError('heirloom heir show needs the ADDRESS.')
  const client = await connect(call)
  const of = readAddress('ADDRESS', address)
  const { after } = call.options
  const value = await client.heir(of, { after }, { signal: call.signal })
  await call.output.result({ value, lines: heirText(value) })
}

async function name(call: HeirCall): Promise<void> {
  const { silence = '180', notice = '60', 'dry-run': isDry } = call.options
  const plan = {
    heir: requireAddress(call),
    silenceDays: readHeirDays('--silence', silence),
    noticeDays: readHeirDays('--notice', notice),
  }
  const wallet = await openOwnWallet(call)
  if (isDry) {
    const quote = await wallet.quote('nameHeir', plan)
    return call.output.result(ownDryRun(wallet, { act: 'nameHeir', quote }))
  }
  const question = `Let ${plan.heir} take over your tokens, ${notice} days after it announces that, once your wallet is silent for ${silence} days?`
  await confirmPayment(call, question)
  const value = await wallet.nameHeir(plan, toActOptions(call))
  const lines = rows([
    ['Heir', plan.heir],
    ['Silence', `${silence} days`],
    ['Notice', `${notice} days`],
    ['Transaction', value.txHash],
  ])
  await call.output.result({ value: { ...value, account: wallet.address, ...plan }, lines })
}

async function clear(call: HeirCall): Promise<void> {
  refuseAddress(call)
  const wallet = await openOwnWallet(call)
  if (call.options['dry-run']) {
    const quote = await wallet.quote('clearHeir')
    return call.output.result(ownDryRun(wallet, { act: 'nameHeir', quote }))
  }
  const value = await wallet.clearHeir(toActOptions(call))
  const lines = rows([
    ['Heir', 'none'],
    ['Transaction', value.txHash],
  ])
  await call.output.result({ value: { ...value, account: wallet.address, heir: null }, lines })
}

async function heartbeat(call: HeirCall): Promise<void> {
  refuseAddress(call)
  const wallet = await openOwnWallet(call)
  if (call.options['dry-run']) {
    const quote = await wallet.quote('heartbeat')
    return call.output.result(ownDryRun(wallet, { act: 'heartbeat', quote }))
  }
  const value = await wallet.heartbeat(toActOptions(call))
  const lines = rows([
    ['Sign of life', wallet.address],
    ['Transaction', value.txHash],
  ])
  await call.output.result({ value: { ...value, account: wallet.address }, lines })
}

async function announce(call: HeirCall): Promise<void> {
  const account = requireAddress(call)
  const wallet = await openOwnWallet(call)
  if (call.options['dry-run']) {
    const quote = await wallet.quote('announceTakeover', account)
    return call.output.result(ownDryRun(wallet, { act: 'announceTakeover', quote }))
  }
  const value = await wallet.announceTakeover(account, toActOptions(call))
  const lines = rows([
    ['Announced', `the takeover from ${account}`],
    ['Takeover', `from ${timeText(value.takeoverAt)}, unless the account gives a sign of life`],
    ['Transaction', value.txHash],
  ])
  await call.output.result({ value: { ...value, account }, lines })
}

function requireAddress({ words: { ACTION, ADDRESS } }: HeirCall): `0x${string}` {
  if (ADDRESS !== undefined) return readAddress('ADDRESS', ADDRESS)
  throw new UsageError(`heirloom heir ${ACTION} needs the ADDRESS.`)
}

// An address would suggest that the act is done for that account.
function refuseAddress({ words: { ACTION, ADDRESS } }: HeirCall): void {
  if (ADDRESS === undefined) return
  throw new UsageError(`heirloom heir ${ACTION} takes no ADDRESS: it is for your own wallet.`)
}

/**
 * Reads the days of a silence or of a notice.
 *
 * @throws a `UsageError` that names the option
 */
function readHeirDays(option: string, text: string): number {
  const { least, most } = heirDayLimits
  const days = /^[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (days >= least && days <= most) return days
  throw new UsageError(
    `${option} must be a whole number of days from ${least} to ${most}${shownValue(text)}.`,
  )
}

/** Describes who takes over the tokens of an account, and when, and whose heir it is. */
function heirText(it: Heir): readonly Line[] {
  const named = (it.heirOf ?? []).map((account) => ['Heir of', account] as const)
  const more = it.next ? ([['', `and more: --after ${it.next}`]] as const) : []
  const heirOf = [...named, ...more]
  if (it.heir === null) return rows([['Account', it.account], ['Heir', 'none'], ...heirOf])
  return rows([
    ['Account', it.account],
    ['Heir', it.heir],
    ['Silence', `${it.silenceDays} days, since the last sign of life on ${time(it.lastSignAt)}`],
    ['Notice', `${it.noticeDays} days, from the announcement to the takeover`],
    ['State', stateText(it)],
    ...heirOf,
  ])
}

function stateText({ state, silentAt, takeoverAt }: Heir): string {
  const notBefore = `the takeover is possible from ${time(takeoverAt)} at the earliest`
  const texts: { readonly [state in Heir['state']]: string } = {
    none: 'none',
    active: `active: the heir may announce from ${time(silentAt)}; ${notBefore}`,
    silent: `silent: the heir may announce now; ${notBefore}`,
    announced: `announced: the heir may take over from ${time(takeoverAt)}, unless the account gives a sign of life`,
    due: `due: the heir may take over now, unless the account gives a sign of life`,
  }
  return texts[state]
}

const time = (seconds: string | null) => (seconds === null ? 'never' : timeText(seconds))
