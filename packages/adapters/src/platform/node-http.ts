type Http = typeof import('node:http') | typeof import('node:https')

/**
 * Returns Node's HTTP module for the protocol of an address. An `import` of `node:http` evaluates
 * all its exports, three of which load the whole of `fetch`: a tenth of the start-up time.
 */
export const nodeHttp = ({ protocol }: URL): Http =>
  process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
