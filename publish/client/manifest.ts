import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientEntrances, clientName } from './entrances.ts'

/** The versions of viem that the entrance `./wallet` runs with; tests run it with both ends. */
export const viemRange = '^2.30.0'

/** Returns the package.json of the client; what it shares with the server's is taken from there. */
export function clientManifest(workspace: string): object {
  const path = join(workspace, 'packages/http/package.json')
  const { version, license, keywords } = JSON.parse(readFileSync(path, 'utf8'))
  return {
    ...{ name: clientName, version, license, type: 'module' },
    description: 'A typed client of Heirloom for Node, browsers and other runtimes with fetch.',
    keywords,
    engines: { node: '>=20' },
    exports: Object.fromEntries(clientEntrances.map(({ path, file }) => [path, `./${file}.js`])),
    files: ['*.js', '*.d.ts', 'shared', 'NOTICES.txt'],
    sideEffects: false,
    // The client alone needs no viem: any object with an address and `signMessage` is an account.
    peerDependencies: { viem: viemRange },
    peerDependenciesMeta: { viem: { optional: true } },
    publishConfig: { access: 'public' },
  }
}
