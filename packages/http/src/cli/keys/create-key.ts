import { commitKeys, loaded, sealingIn, withNewKey } from '@heirloom/adapters/keys'
import { withKeySite } from './key-installation.ts'
import type { KeysCall } from './keys.ts'

/** Makes another key that seals; the one before goes on opening. */
export function newKey(call: KeysCall): Promise<number> {
  const isRehearsed = call.options['dry-run'] === true
  return withKeySite(call, isRehearsed ? 'look' : 'change', async ({ source, now }, seen) => {
    const before = loaded(seen, source)
    const closedToSealing = sealingIn(before.records)?.facts.id
    if (isRehearsed) {
      const line = `Dry run: a new key would seal, and ${closedToSealing} would only open.`
      await call.output.answer({ value: { dryRun: true, closedToSealing }, lines: [line] })
      return 0
    }
    const after = await commitKeys(source, before, withNewKey(before.records, { now: now() }))
    const made = sealingIn(after.records)?.facts.id
    const line = `The key ${made} seals from now on; ${closedToSealing} only opens.`
    await call.output.answer({ value: { dryRun: false, made, closedToSealing }, lines: [line] })
    return 0
  })
}
