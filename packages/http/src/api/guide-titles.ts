/** The titles of the guides by their names, in the order of a first reading. */
export const guideTitles: Readonly<Record<string, string>> = {
  remember: 'An agent that remembers across restarts',
  sell: 'Sell a memory, and let the buyer restore it',
  share: 'Share a memory, and see who saved and opened it',
  fork: 'Fork a memory and share the earnings',
  'own-wallet': 'Act with your own wallet',
  dollars: 'Bring only a wallet: sell and buy in dollars',
  heirs: "Leave your agent's memory to somebody",
  watch: 'Act on what happens',
  python: 'A memory that Python shares with other agents',
  frameworks: 'Agents of your framework that remember',
  'public-chain': 'Run on a public chain',
  tenants: 'Several agents in one server',
  keys: 'Keys, backup and restore',
  'key-service': "Keep the agent's key in a module or a service",
  migrate: 'Move to another chain',
  successor: 'Move to a successor pair',
  adapter: 'Write an adapter and prove it',
}

/** Says for whom the guides are from one on, in their order. */
const readersFrom: Readonly<Record<string, string>> = {
  remember: 'First steps',
  'own-wallet': 'With a wallet of your own',
  python: 'In your framework',
  'public-chain': 'For who runs a server',
  adapter: 'For who extends it',
}

/** Returns for whom a guide is. */
export function readersOf(guide: string): string {
  const names = Object.keys(guideTitles)
  const before = names.slice(0, names.indexOf(guide) + 1)
  return readersFrom[before.findLast((it) => it in readersFrom) ?? ''] ?? ''
}
