const texts = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
})

const nameOf = (path: string) => /([a-z-]+)\.md$/.exec(path)?.[1] ?? path

/** The titles of the guides by their names, in the order of a first reading. */
export const guideTitles: Readonly<Record<string, string>> = {
  remember: 'An agent that remembers across restarts',
  sell: 'Sell a memory, and let the buyer restore it',
  fork: 'Fork a memory and share the earnings',
  'own-wallet': 'Act with your own wallet',
  dollars: 'Bring only a wallet: sell and buy in dollars',
  heirs: "Leave your agent's memory to somebody",
  successor: 'Move to a successor pair',
  python: 'A memory that Python shares with other agents',
  'public-chain': 'Run on a public chain',
  tenants: 'Several agents in one server',
  keys: 'Keys, backup and restore',
  'key-service': "Keep the agent's key in a module or a service",
  migrate: 'Move to another chain',
  adapter: 'Write an adapter and prove it',
}

/** Returns the Markdown of a guide; `undefined` when there is none of that name. */
export async function readGuide(name: string): Promise<string | undefined> {
  const found = Object.entries(texts).find(([path]) => nameOf(path) === name)
  return found === undefined ? undefined : found[1]()
}
