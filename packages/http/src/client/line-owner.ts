import type { HeirloomError } from './heirloom-error.ts'
import type { Recipient } from './requests.ts'
import type { Deployment, SavedName } from './responses.ts'

/** The owner of the next version of a name: an account, or the wallet of the server. */
export type LineOwner = Recipient | 'server'

/** The parts of a failure to open a version. */
type Denied = ConstructorParameters<typeof HeirloomError<'access/denied'>>[0]

/**
 * Describes why the owner of the next version must not go on after the last one: it belongs to another
 * account, so that the owner could not open it. One that was sold or given away is no sign of another's
 * line.
 */
export async function otherLine(
  line: SavedName | undefined,
  next: { readonly owner: LineOwner; readonly read: () => Promise<Pick<Deployment, 'agent'>> },
): Promise<Denied | undefined> {
  if (!line?.last.owner || line.last.isTransferred) return undefined
  const { name } = line
  const { tokenId, owner } = line.last
  const account = next.owner === 'server' ? ((await next.read()).agent as Recipient) : next.owner
  if (owner.toLowerCase() === account.toLowerCase()) return undefined
  const message = `Nothing was saved: the last version of ${name}, token ${tokenId}, belongs to ${owner}, and ${account} could not open it. ${sharedName(name)} To go on all the same, name the version: ${tokenId}.`
  return { code: 'access/denied', facts: { tokenId, account }, message }
}

/** Returns the parts of the failure to open the last version of a name, and the reason that it may have. */
export const ofSharedName = (
  { code, facts, status, message }: HeirloomError,
  name: string,
): ConstructorParameters<typeof HeirloomError>[0] => ({
  code,
  facts,
  status,
  message: `${message} ${sharedName(name)}`,
})

/** Says why a name may lead to a version that the account cannot open. */
const sharedName = (name: string): string =>
  `The name ${name} is one of all clients of the server that have the same API key, or none: choose another name, or use the own wallet, whose names are its own.`
