type Http = typeof import('node:http') | typeof import('node:https')

/**
 * Returns Node's module for the protocol of an address. An import of `node:http` reads all that it
 * exports, three members load the whole of Node's `fetch`, and that is a tenth of a start.
 */
export const nodeHttp = ({ protocol }: URL): Http =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
