import type { Command } from './arbitrary-story.ts'
import { type Call, marketCall, type StoryState } from './resolve-call.ts'
import { heirCall } from './resolve-heir.ts'
import { dollarCall } from './resolve-order.ts'

/** Resolves a command in the current state. */
export async function resolveCommand(state: StoryState, command: Command): Promise<Call> {
  switch (command.verb) {
    case 'listInDollars':
    case 'order':
    case 'order again':
    case 'settle':
    case 'refund':
      return dollarCall(state, command)
    case 'nameHeir':
    case 'heartbeat':
    case 'announceTakeover':
    case 'takeOver':
      return heirCall(state, command)
    default:
      return marketCall(state, command)
  }
}
