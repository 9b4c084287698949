import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { copyWorkspace, runPublishProgram } from './copy-workspace.ts'
import { type Registry, startRegistry } from './registry.ts'

/** A registry with our packages, and the copy of the workspace that they were built in. */
export type Published = Registry & { readonly workspace: string }

/** Serves our packages from a registry, packed in a copy of the workspace. */
export async function publish(): Promise<Published> {
  const workspace = packOnce(inject('runFolder'))
  const { url, close } = await startRegistry(join(workspace, 'tarballs'))
  return { url, close, workspace }
}

/** Packs the packages unless another test file of this run did; returns the copy of the workspace. */
function packOnce(runFolder: string): string {
  const workspace = join(runFolder, 'workspace')
  const done = join(runFolder, 'packed')
  // Processes that come later wait here. The system ends the lock with its process.
  const lock = new DatabaseSync(join(runFolder, 'packing.sqlite'), { timeout: 300_000 })
  lock.exec('begin exclusive')
  try {
    if (existsSync(done)) return workspace
    copyWorkspace(workspace)
    runPublishProgram(workspace, 'pack.ts', join(workspace, 'tarballs'))
    writeFileSync(done, '')
    return workspace
  } finally {
    lock.close()
  }
}
