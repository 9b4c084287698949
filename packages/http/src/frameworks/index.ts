export { type HeirloomSession, heirloomSession } from './heirloom-session.ts'
export type { FrameworkOptions } from './named-document.ts'
