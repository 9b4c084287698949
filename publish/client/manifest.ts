import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientEntrances, clientName } from './entrances.ts'

/** The versions of viem that the entrance `./wallet` runs with; tests run it with both ends. */
export const viemRange = '^2.30.0'

/** The versions of the peers, each of which only its own entrance needs; all are optional. */
const peerDependencies: Readonly<Record<string, string>> = {
  '@langchain/core': '^1.1.48',
  '@langchain/langgraph-checkpoint': '^1.2.2',
  '@mastra/core': '^1.71.0',
  '@openai/agents': '>=0.20.0 <1.0.0',
  ai: '^7.0.0',
  viem: viemRange,
}

/** Returns the package.json of the client; what it shares with the server's is taken from there. */
export function clientManifest(workspace: string): object {
  const path = join(workspace, 'packages/http/package.json')
  const { version, license, keywords } = JSON.parse(readFileSync(path, 'utf8'))
  return {
    name: clientName,
    version,
    license,
    type: 'module',
    description: 'A typed client of Heirloom for Node, browsers and other runtimes with fetch.',
    keywords,
    engines: { node: '>=20' },
    exports: Object.fromEntries(clientEntrances.map(({ path, file }) => [path, `./${file}.js`])),
    files: ['*.js', '*.d.ts', 'shared', 'NOTICES.txt'],
    sideEffects: false,
    // The client alone needs no viem: any object with an address and `signMessage` is an account.
    peerDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peerDependencies).map((name) => [name, { optional: true }]),
    ),
    publishConfig: { access: 'public' },
  }
}
