import { noVersion } from '../../client/named-memory.ts'
import type { NamedVersion } from '../../client/responses.ts'
import { type Call, UsageError } from '../arguments/command.ts'
import type { serverOptions } from '../connection/connect.ts'
import { type namesOptions, openNames } from '../connection/open-names.ts'
import { promptConfirm } from '../terminal/prompt.ts'
import { canPrompt } from '../terminal/terminal.ts'
import { rows } from '../terminal/value-text.ts'

type ForgetCall = Call<
  'NAME',
  typeof namesOptions &
    typeof serverOptions & { readonly yes: { readonly type: 'boolean'; readonly about: string } }
>

/** Forgets a name and the list of its versions. */
export async function forgetName(call: ForgetCall): Promise<number> {
  const { NAME: name } = call.words
  const names = await openNames(call)
  const { items } = await names.versions(name, { limit: 1 })
  const [last] = items
  if (last === undefined) throw noVersion(name, 1)
  await confirm(call, last)
  // The line that was shown, and no other that has begun since.
  await names.forgetName(name, { after: last.tokenId })
  const lines = rows([
    ['Forgotten', `${name}, with the list of its ${versionsText(last)}`],
    ['Stay', `all tokens and memories; the last one is token ${last.tokenId}`],
  ])
  await call.output.result({ value: { forgotten: name, last }, lines })
  return 0
}

/** Asks a person, who sees what goes and what stays; without one, `--yes` is required. */
async function confirm(call: ForgetCall, last: NamedVersion): Promise<void> {
  if (call.options.yes) return
  const { NAME: name } = call.words
  if (call.output.json || !canPrompt(call.terminal)) {
    throw new UsageError(
      `Forgetting ${name} also removes the list of its ${versionsText(last)}: pass --yes to forget it.`,
    )
  }
  await promptConfirm(
    call.terminal,
    `Forget the name ${name} and the list of its ${versionsText(last)}? Their tokens and memories stay; the last one is token ${last.tokenId}.`,
  )
}

const versionsText = ({ version }: NamedVersion) =>
  version === 1 ? 'one version' : `${version} versions`
