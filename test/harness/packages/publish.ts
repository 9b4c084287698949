import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyWorkspace, runPublishProgram } from './copy-workspace.ts'
import { type Registry, startRegistry } from './registry.ts'

/** A registry with our packages, and the copy of the workspace that they were built in. */
export type Published = Registry & { readonly workspace: string }

/** Packs the packages in a copy of the workspace, and serves them from a registry. */
export async function publish(): Promise<Published> {
  const workspace = copyWorkspace()
  runPublishProgram(workspace, 'pack.ts', join(workspace, 'tarballs'))
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
