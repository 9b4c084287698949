import { type Call, command } from '../arguments/command.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { serverOptions } from '../connection/connect.ts'
import { namesOptions, openNames } from '../connection/open-names.ts'

const options = {
  after: { type: 'string', value: 'CURSOR', about: 'Continue after an earlier page.' },
  'dry-run': { type: 'boolean', about: 'With recover: show what it would add; change nothing.' },
  ...namesOptions,
  ...serverOptions,
} as const

type NamesCall = Call<'ACTION', typeof options>

/** Shows the private names of the caller, or recovers those of all callers. */
export const names = command({
  about: 'Shows your private names with their last versions, or recovers lost names.',
  more: [
    'Names belong to the API key of HEIRLOOM_API_KEY, or without keys to the operator; with --as-wallet to the account of HEIRLOOM_PRIVATE_KEY or HEIRLOOM_KEYSTORE.',
    'recover is for the operator, after the tables of names were lost: it reads the same environment as the server, which must be stopped, goes through the memories on the chain, opens the heads that its keys open, and adds the versions that the tables lack, of all owners. It adds at the end of a name and changes nothing else; run it again after an interruption. It exits with 1 when a name has other versions in the tables, or is held by a save.',
  ],
  words: [
    {
      name: 'ACTION',
      about: 'recover; without it the names are shown.',
      optional: true,
      choices: ['recover'],
    },
  ],
  options,
  examples: [
    { line: 'heirloom names', about: 'Show them:' },
    {
      line: 'heirloom names recover --dry-run',
      about: 'Show which lost names and versions the memories on the chain have:',
    },
  ],
  run: async (call) => {
    if (call.words.ACTION === undefined) return showNames(call)
    refuseOfRecover(call.options)
    return (await import('../names/recover-names.ts')).recoverNames(call)
  },
})

function refuseOfRecover({ 'dry-run': _, ...others }: NamesCall['options']): void {
  const [other] = Object.entries(others).filter(
    ([name, value]) => name !== 'json' && value !== undefined,
  )
  if (other !== undefined) throw new UsageError(`names recover takes no --${other[0]}.`)
}

async function showNames(call: NamesCall): Promise<number> {
  if (call.options['dry-run']) throw new UsageError('--dry-run belongs to names recover.')
  const page = await (await openNames(call)).names({ after: call.options.after })
  const lines = page.items.map(
    ({ name, last }) => `${name}  version ${last.version}, token ${last.tokenId}`,
  )
  const isEmpty = page.items.length === 0 && call.options.after === undefined
  const own = call.options['as-wallet'] ? ' --as-wallet' : ''
  if (isEmpty) await call.output.note(`No names yet; heirloom save NAME FILE${own} saves to one.`)
  const more = page.next === null ? [] : [`More with --after ${page.next}`]
  await call.output.result({ value: page, lines: [...lines, ...more] })
  return 0
}
