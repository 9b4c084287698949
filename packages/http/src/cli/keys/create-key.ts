import { commitKeys, findSealingKey, requireOpened, withNewKey } from '@heirloom/adapters/keys'
import { withKeyInstallation } from './key-installation.ts'
import type { KeysCall } from './keys.ts'

/** Creates a new sealing key. The earlier one can still open memories. */
export function createKey(call: KeysCall): Promise<number> {
  const dryRun = call.options['dry-run'] === true
  return withKeyInstallation(call, dryRun ? 'read' : 'change', async ({ source, now }, seen) => {
    const before = requireOpened(seen, source)
    const closedToSealing = findSealingKey(before.records)?.facts.id
    if (dryRun) {
      const line = `Dry run: a new key would seal, and ${closedToSealing} would only open.`
      await call.output.result({ value: { dryRun: true, closedToSealing }, lines: [line] })
      return 0
    }
    const after = await commitKeys(source, before, withNewKey(before.records, { now: now() }))
    const made = findSealingKey(after.records)?.facts.id
    const line = `The key ${made} seals from now on; ${closedToSealing} only opens.`
    await call.output.result({ value: { dryRun: false, made, closedToSealing }, lines: [line] })
    return 0
  })
}
