/** The most members of a JSON object that a request sends: each takes memory in the event loop, too. */
export const mostMembers = 1000
