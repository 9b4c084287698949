import { unreadable } from '../unreadable.ts'

/** Returns the failure of a list of parts that does not fit itself, its packs or its document. */
export const malformedList = () => unreadable('its list of parts is malformed')
