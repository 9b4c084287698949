import { InMemoryDB } from '@mastra/core/storage'

type Access = {
  readonly read: () => Promise<InMemoryDB>
  readonly change: <T>(apply: (db: InMemoryDB) => Promise<T>) => Promise<T>
}

/** The calls that change nothing. */
const isRead = (name: string) => /^(get|list|load)[A-Z]/.test(name)

/**
 * Returns a domain of Mastra's storage in memory each of whose calls works on the newest tables, and saves
 * what it changed. A call that a later version of Mastra adds does so, too.
 */
export function storedDomain<Domain extends object>(
  create: (db: InMemoryDB) => Domain,
  { read, change }: Access,
): Domain {
  return new Proxy(create(new InMemoryDB()), {
    get: (domain, name) => {
      const member: unknown = Reflect.get(domain, name)
      if (typeof member !== 'function') return member
      if (typeof name !== 'string' || !isStorageCall(domain, name)) return member.bind(domain)
      const call = (db: InMemoryDB, args: readonly unknown[]) => {
        const own = create(db)
        return Reflect.apply(Reflect.get(own, name) as typeof member, own, args)
      }
      return isRead(name)
        ? async (...args: readonly unknown[]) => call(await read(), args)
        : (...args: readonly unknown[]) => change(async (db) => call(db, args))
    },
  })
}

/** Returns whether a method is a call of the storage: an asynchronous one that the domain itself has. */
function isStorageCall(domain: object, name: string): boolean {
  for (let at = Object.getPrototypeOf(domain); at !== null; at = Object.getPrototypeOf(at)) {
    const { value } = Object.getOwnPropertyDescriptor(at, name) ?? {}
    if (typeof value === 'function')
      return value.constructor.name === 'AsyncFunction' && name !== 'init'
  }
  return false
}
