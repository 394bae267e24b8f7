// The refusals of the edge, which happen before a service gets the request (docs/wire/errors.md#edge).
import type { RefusalTable } from './refusals.ts'

const ROWS = {
  foreign_origin: {
    status: 403,
    cause: 'A web page of another origin called the management API.',
    remedy:
      'Call the management API from a server, or start Tenantry with --allow-origin and the origin of the page.',
  },
  service_worker_refused: {
    status: 403,
    cause: 'The request asks for the script of a service worker.',
    remedy: 'Serve the script from your application’s own origin.',
  },
  endpoint_em_outro_host: {
    status: 404,
    cause: 'The route belongs to another host of the platform.',
    remedy: 'Send the request to the address in the answer.',
  },
  not_found: {
    status: 404,
    cause: 'The path does not exist.',
    remedy: 'Compare the path with the documentation.',
  },
} as const

export type EdgeCode = keyof typeof ROWS

export const EDGE_REFUSALS: RefusalTable<EdgeCode> = ROWS
