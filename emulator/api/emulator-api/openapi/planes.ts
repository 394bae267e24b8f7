// The planes of the platform that have an OpenAPI document of their own: route tables, answers and credentials of each.

import type { z } from 'zod'
import type { Addresses } from '../../../core/request-env.ts'
import type { AnswerTable } from '../../../core/route-answers.ts'
import type { Operation } from '../../../core/routes.ts'
import { EXCHANGE_ROUTE_CODES } from '../../../platform/credentials/token-exchange.ts'
import {
  CREDENTIAL_HEADERS,
  CREDENTIAL_PARAMETERS,
} from '../../../platform/secrets/secret-names.ts'
import { AUTH_ANSWERS, AUTH_SCHEMAS, type AuthCredential } from '../../../services/auth/answers.ts'
import { AUTH_ROUTE_CODES, AUTH_ROUTES } from '../../../services/auth/routes.ts'
import {
  CONTROL_ANSWERS,
  CONTROL_SCHEMAS,
  type ControlCredential,
} from '../../../services/control/answers.ts'
import { CONTROL_ROUTE_CODES, CONTROL_ROUTES } from '../../../services/control/routes.ts'
import {
  BROADCAST_ANSWERS,
  REALTIME_SCHEMAS,
  REALTIME_TOKEN_ANSWERS,
  type RealtimeCredential,
  SOCKET_ANSWERS,
} from '../../../services/realtime/answers.ts'
import {
  BROADCAST_ROUTE_CODES,
  BROADCAST_ROUTES,
} from '../../../services/realtime/broadcast/broadcast-routes.ts'
import { HANDSHAKE_REFUSALS } from '../../../services/realtime/refusals.ts'
import { REALTIME_TOKEN_ROUTE } from '../../../services/realtime/tokens/token-route.ts'
import { STORAGE_TOKEN_ROUTE } from '../../../services/storage/access/token-route.ts'
import {
  STORAGE_ANSWERS,
  STORAGE_SCHEMAS,
  STORAGE_TOKEN_ANSWERS,
  type StorageCredential,
} from '../../../services/storage/answers.ts'
import { RESUMABLE_ANSWERS, S3_ANSWERS } from '../../../services/storage/protocol-answers.ts'
import {
  RESUMABLE_ROUTE_CODES,
  RESUMABLE_ROUTES,
  S3_ROUTE_CODES,
  S3_ROUTES,
  STORAGE_ROUTE_CODES,
  STORAGE_ROUTES,
} from '../../../services/storage/routes.ts'
import type { Json } from './json.ts'
import type { HttpDialect } from './refusals.ts'

/** A route table with the facts that its routes share. */
export interface PlaneTable {
  readonly routes: Readonly<Record<string, Operation>>
  readonly answers: AnswerTable<string>
  readonly dialect: HttpDialect
  /** Codes that every route can answer. */
  readonly always: readonly string[]
  /** Address of the routes, when it differs from the plane's. */
  readonly server?: (addresses: Addresses) => string
}

export interface Plane {
  readonly title: string
  readonly description: string
  readonly server: (addresses: Addresses) => string
  readonly tables: readonly PlaneTable[]
  readonly schemas: Readonly<Record<string, z.ZodType>>
  readonly credentials: Json
}

export type PlaneName = 'management' | 'auth' | 'storage' | 'realtime'

const authUrl = ({ authUrl: url }: Addresses): string => url
const storageUrl = ({ storageUrl: url }: Addresses): string => url

/** Address of realtime's HTTP routes. The socket's address begins with `ws` instead, and on its own host ends with `/socket`. */
function realtimeHttpUrl({ realtimeUrl }: Addresses): string {
  return realtimeUrl.replace(/^ws/, 'http').replace(/\/socket$/, '')
}

function bearer(description: string, bearerFormat?: string): Json {
  return { type: 'http', scheme: 'bearer', ...(bearerFormat && { bearerFormat }), description }
}

function named(place: 'header' | 'query', name: string, description: string): Json {
  return { type: 'apiKey', in: place, name, description }
}

const PROJECT_CREDENTIAL = bearer('A project key or a data_plane_token', 'JWT')

const CONTROL_CREDENTIALS: Readonly<Record<ControlCredential, Json>> = {
  session: bearer('Session of the dashboard, from `POST /platform/v1/session`', 'PASETO'),
  groupKey: bearer('Group API Key, which starts with `sdb_gk_`'),
  managementKey: bearer('Management key of one project, which starts with `sdb_pmk_`'),
  adminToken: bearer('Admin token of the emulator, for the developer’s account only'),
}

const AUTH_CREDENTIALS: Readonly<Record<AuthCredential, Json>> = {
  apikey: named('header', CREDENTIAL_HEADERS.projectKey, 'A project key, which names the project'),
  projectHeader: named('header', 'X-SuperDB-Project', 'Slug of the project'),
  projectKeyInQuery: named(
    'query',
    CREDENTIAL_PARAMETERS.projectKey,
    'A project key. Only the emulator accepts it here',
  ),
  accessToken: bearer('The access_token of a session', 'PASETO'),
}

const STORAGE_CREDENTIALS: Readonly<Record<StorageCredential, Json>> = {
  storageToken: bearer('Storage token, from `POST /st/v1/token`', 'JWT'),
  projectCredential: PROJECT_CREDENTIAL,
  urlToken: named('query', CREDENTIAL_PARAMETERS.urlToken, 'Token of a signed URL'),
  uploadSignature: named('header', CREDENTIAL_HEADERS.uploadToken, 'Token of a signed upload URL'),
  s3Signature: named(
    'header',
    'Authorization',
    'AWS Signature Version 4 with an S3 key of the project. Presigned URLs carry it in the query',
  ),
}

const REALTIME_CREDENTIALS: Readonly<Record<RealtimeCredential, Json>> = {
  realtimeToken: bearer('Realtime token, from `POST /rt/v1/token`', 'JWT'),
  tokenHeader: named('header', CREDENTIAL_HEADERS.projectKey, 'Realtime token'),
  tokenInQuery: named('query', CREDENTIAL_PARAMETERS.projectKey, 'Realtime token'),
  tokenInSocketHeader: named(
    'header',
    CREDENTIAL_HEADERS.socketKey,
    'Realtime token. Has priority over the query',
  ),
  projectCredential: PROJECT_CREDENTIAL,
}

const SOCKET_ROUTES: PlaneTable['routes'] = {
  'GET /websocket': {
    operation: 'socket.open',
    title: 'Opens a socket',
    codes: Object.keys(HANDSHAKE_REFUSALS),
  },
}

const EXCHANGE = { dialect: 'exchange', always: EXCHANGE_ROUTE_CODES, server: authUrl } as const

export const PLANES: Readonly<Record<PlaneName, Plane>> = {
  management: {
    title: 'Management',
    description:
      'Groups, tenants, projects and templates. Web pages of other origins get 403 `foreign_origin`.',
    server: authUrl,
    tables: [
      {
        routes: CONTROL_ROUTES,
        answers: CONTROL_ANSWERS,
        dialect: 'control',
        always: CONTROL_ROUTE_CODES,
      },
    ],
    schemas: CONTROL_SCHEMAS,
    credentials: CONTROL_CREDENTIALS,
  },
  auth: {
    title: 'Authentication',
    description: 'Sign-in and sessions of the end users of one project.',
    server: authUrl,
    tables: [
      { routes: AUTH_ROUTES, answers: AUTH_ANSWERS, dialect: 'auth', always: AUTH_ROUTE_CODES },
    ],
    schemas: AUTH_SCHEMAS,
    credentials: AUTH_CREDENTIALS,
  },
  storage: {
    title: 'Storage',
    description:
      'Buckets and files: storage’s JSON routes, resumable uploads with TUS, and S3. Most refusals have the HTTP status 400; `statusCode` in the body is the logical status.',
    server: storageUrl,
    tables: [
      { routes: STORAGE_TOKEN_ROUTE, answers: STORAGE_TOKEN_ANSWERS, ...EXCHANGE },
      {
        routes: STORAGE_ROUTES,
        answers: STORAGE_ANSWERS,
        dialect: 'storage',
        always: STORAGE_ROUTE_CODES,
      },
      {
        routes: RESUMABLE_ROUTES,
        answers: RESUMABLE_ANSWERS,
        dialect: 'tus',
        always: RESUMABLE_ROUTE_CODES,
      },
      { routes: S3_ROUTES, answers: S3_ANSWERS, dialect: 's3', always: S3_ROUTE_CODES },
    ],
    schemas: STORAGE_SCHEMAS,
    credentials: STORAGE_CREDENTIALS,
  },
  realtime: {
    title: 'Realtime',
    description: 'Realtime tokens, broadcasts over HTTP, and the handshake of sockets.',
    server: realtimeHttpUrl,
    tables: [
      { routes: REALTIME_TOKEN_ROUTE, answers: REALTIME_TOKEN_ANSWERS, ...EXCHANGE },
      {
        routes: BROADCAST_ROUTES,
        answers: BROADCAST_ANSWERS,
        dialect: 'realtime',
        always: BROADCAST_ROUTE_CODES,
      },
      { routes: SOCKET_ROUTES, answers: SOCKET_ANSWERS, dialect: 'handshake', always: [] },
    ],
    schemas: REALTIME_SCHEMAS,
    credentials: REALTIME_CREDENTIALS,
  },
}
