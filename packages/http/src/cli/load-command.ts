import type { Command, NamedCommands } from './arguments/command.ts'

// A command is loaded when it is called, with those of its subject alone, so that it does not wait for the
// imports of others.
const loaders = {
  serve: async () => (await import('./operator/serve.ts')).serve,
  snapshot: async () => (await import('./memories/snapshot.ts')).snapshot,
  download: async () => (await import('./memories/download.ts')).download,
  save: async () => (await import('./memories/snapshot.ts')).save,
  remove: async () => (await import('./memories/remove.ts')).remove,
  log: async () => (await import('./memories/names.ts')).log,
  names: async () => (await import('./memories/names.ts')).names,
  diff: async () => (await import('./memories/diff.ts')).diff,
  merge: async () => (await import('./memories/merge.ts')).merge,
  recall: async () => (await import('./memories/recall.ts')).recall,
  outline: async () => (await import('./memories/read-inside.ts')).outline,
  part: async () => (await import('./memories/part.ts')).part,
  'search-in': async () => (await import('./memories/read-inside.ts')).searchIn,
  import: async () => (await import('./memories/import.ts')).importCommand,
  export: async () => (await import('./memories/export.ts')).exportCommand,
  scan: async () => (await import('./memories/scan.ts')).scan,
  verify: async () => (await import('./memories/verify.ts')).verify,
  openings: async () => (await import('./wallet/account-reads.ts')).openings,
  info: async () => (await import('./market/token-reads.ts')).info,
  lineage: async () => (await import('./market/token-reads.ts')).lineage,
  browse: async () => (await import('./market/browse.ts')).browse,
  facets: async () => (await import('./market/market-reads.ts')).facets,
  excerpts: async () => (await import('./market/token-reads.ts')).excerpts,
  activity: async () => (await import('./market/activity.ts')).activity,
  history: async () => (await import('./market/token-reads.ts')).history,
  rentals: async () => (await import('./market/token-reads.ts')).rentals,
  ratings: async () => (await import('./market/token-reads.ts')).ratings,
  integrity: async () => (await import('./market/token-reads.ts')).integrity,
  events: async () => (await import('./market/market-reads.ts')).events,
  list: async () => (await import('./market/listings.ts')).list,
  offer: async () => (await import('./market/listings.ts')).offer,
  unlist: async () => (await import('./market/listings.ts')).unlist,
  buy: async () => (await import('./market/acquisitions.ts')).buy,
  rent: async () => (await import('./market/acquisitions.ts')).rent,
  fork: async () => (await import('./market/acquisitions.ts')).fork,
  royalty: async () => (await import('./market/royalty.ts')).royalty,
  login: async () => (await import('./wallet/login.ts')).login,
  transfer: async () => (await import('./wallet/own-acts.ts')).transfer,
  erase: async () => (await import('./wallet/erase.ts')).erase,
  rate: async () => (await import('./wallet/own-acts.ts')).rate,
  profile: async () => (await import('./wallet/own-acts.ts')).profile,
  grant: async () => (await import('./wallet/grants.ts')).grant,
  grants: async () => (await import('./wallet/grants.ts')).grants,
  revoke: async () => (await import('./wallet/grants.ts')).revoke,
  earnings: async () => (await import('./wallet/account-reads.ts')).earnings,
  credit: async () => (await import('./wallet/account-reads.ts')).credit,
  withdraw: async () => (await import('./wallet/own-acts.ts')).withdraw,
  faucet: async () => (await import('./wallet/account-reads.ts')).faucet,
  heir: async () => (await import('./wallet/heir.ts')).heir,
  wallet: async () => (await import('./market/market-reads.ts')).wallet,
  deployment: async () => (await import('./market/market-reads.ts')).deployment,
  operator: async () => (await import('./operator/operator.ts')).operator,
  webhook: async () => (await import('./operator/webhook.ts')).webhook,
  mcp: async () => (await import('./mcp.ts')).mcp,
  deploy: async () => (await import('./operator/deploy.ts')).deploy,
  migrate: async () => (await import('./operator/migrate.ts')).migrate,
  'api-key': async () => (await import('./operator/api-key.ts')).apiKey,
  keys: async () => (await import('./operator/keys.ts')).keys,
  tenants: async () => (await import('./operator/tenants.ts')).tenants,
  backup: async () => (await import('./operator/backup.ts')).backup,
  restore: async () => (await import('./operator/restore.ts')).restore,
  doctor: async () => (await import('./operator/doctor.ts')).doctor,
  chain: async () => (await import('./operator/data-folder.ts')).chain,
  blocks: async () => (await import('./operator/data-folder.ts')).blocks,
  completion: async () => (await import('./completion.ts')).completion,
} satisfies Readonly<Record<string, () => Promise<Command>>>

type CommandName = keyof typeof loaders

/** The names of all commands, in the order of the help. */
export const commandNames = Object.keys(loaders) as readonly CommandName[]

/** A heading of the help, by the first of the commands below it. */
export const groupHeadings = {
  serve: 'Start here',
  snapshot: 'Your memories',
  info: 'The market, for everybody',
  list: 'Trade',
  login: 'Your own wallet',
  wallet: 'The server that you use',
  deploy: 'A server of your own',
  completion: 'Your shell',
} as const satisfies Partial<Readonly<Record<CommandName, string>>>

/** The commands that most people need, which the help shows below its first heading. */
export const firstCommands: readonly CommandName[] = [
  'serve',
  'snapshot',
  'download',
  'browse',
  'list',
  'buy',
]

/** Loads a command by its name; returns undefined when there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const known = commandNames.find((it) => it === name)
  return known && (await loaders[known]())
}

/** Loads all commands, with their names. */
export async function loadCommands(): Promise<NamedCommands> {
  return Promise.all(commandNames.map(async (name) => [name, await loaders[name]()] as const))
}
