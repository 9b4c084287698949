import { join } from 'node:path'
import { build } from 'rolldown'
import { notices } from '../../packages/http/notices.ts'
import { allPeers, isOf } from './entrances.ts'
import { inputOf } from './inputs.ts'
import { requireNoDependency } from './require-no-dependency.ts'

/** Bundles the code of the client, and of all that it needs but its peers, into a few files. */
export async function bundleCode(workspace: string, folder: string): Promise<void> {
  const { output } = await build({
    input: inputOf(join(workspace, 'packages/http'), 'sources'),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => id.startsWith('node:') || isOf(allPeers, id),
    // Modules that servers share with the client import Node modules for what only servers call.
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [notices()],
    // Not minified: whoever installs it can read what it does with a key.
    output: {
      dir: folder,
      format: 'esm',
      minifyInternalExports: false,
      chunkFileNames: 'shared/[name].js',
    },
    // Without the paths of the sources, which begin in the folder of this machine.
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
  })
  requireNoDependency(output)
}
