import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyOfWorkspace, runIn } from './copy-workspace.ts'
import { type Registry, startRegistry } from './registry.ts'

/** A registry with our packages as they would be published now, and the workspace they are of. */
export type Published = Registry & { readonly workspace: string }

/** Packs a copy of the workspace, and serves what comes of it. */
export async function publish(): Promise<Published> {
  const workspace = copyOfWorkspace()
  runIn(workspace, 'pack.ts', join(workspace, 'tarballs'))
  const registry = await startRegistry(join(workspace, 'tarballs'))
  return {
    url: registry.url,
    workspace,
    async close() {
      await registry.close()
      rmSync(workspace, { recursive: true, force: true })
    },
  }
}
