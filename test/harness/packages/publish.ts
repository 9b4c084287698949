import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtProgram } from '../../../packages/http/test/built-program.ts'
import { copyWorkspace, runPublishProgram } from './copy-workspace.ts'
import { makeOnce } from './make-once.ts'
import { type Registry, startRegistry } from './registry.ts'

/** A registry with our packages, and the copy of the workspace that they were built in. */
export type Published = Registry & { readonly workspace: string }

/** Serves our packages from a registry, packed once in a run in a copy of the workspace. */
export async function publish(): Promise<Published> {
  const workspace = await makeOnce('workspace', async (copy) => {
    copyWorkspace(copy)
    // The program that tests start is built already, from the same sources.
    const dist = join(copy, 'packages/http/dist')
    rmSync(dist, { recursive: true, force: true })
    cpSync(dirname(builtProgram), dist, { recursive: true })
    runPublishProgram(copy, 'pack.ts', join(copy, 'tarballs'), '--built')
  })
  const { url, close } = await startRegistry(join(workspace, 'tarballs'))
  return { url, close, workspace }
}
