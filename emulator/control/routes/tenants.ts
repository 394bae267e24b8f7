// /groups/v1/:group_id and its tenants, for the vendor's backend (docs/wire/platform.md#tenant).
import { z } from 'zod'
import { authenticateGroup } from '../authenticate.ts'
import type { ControlDeps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { mintManagementKey } from '../mint-management-key.ts'
import { provisionTenant } from '../provision-tenant.ts'
import { purgeTenant } from '../purge-tenant.ts'
import { removeTenant } from '../remove-tenant.ts'
import { decodeBody, decodeOptionalBody, decodeQuery } from '../request-body.ts'
import { countShape, jsonObjectShape, optionalText } from '../shapes.ts'
import {
  erasedToWire,
  keysToWire,
  newManagementKeyToWire,
  tenantDetailToWire,
  tenantListToWire,
  tenantToWire,
} from '../wire.ts'
import { ManagementKeyShape } from './management-keys.ts'
import {
  type ControlContext,
  occasionOf,
  pathParam,
  presented,
  type RouteTable,
} from './route-table.ts'

/** The slug is judged by the command: whatever is no slug is `invalid_slug`, not `invalid_request`. */
const TenantShape = z.object({
  slug: z.unknown().optional(),
  external_id: optionalText,
  metadata: jsonObjectShape.nullish(),
})

const PageShape = z.object({
  limit: countShape(1, 200).optional(),
  offset: countShape(0, Number.MAX_SAFE_INTEGER).optional(),
})

const PurgeShape = z.object({ confirm_slug: z.unknown().optional() })

const DEFAULT_LIMIT = 50

export function tenantRoutes(deps: ControlDeps): RouteTable {
  const { stores } = deps

  const groupOf = (context: ControlContext) =>
    authenticateGroup(deps, presented(context), pathParam(context, 'group_id'))

  return {
    '/groups/v1/:group_id/tenants': {
      GET: async (context) => {
        const group = await groupOf(context)
        const query = decodeQuery(context.req.url, PageShape)
        const page = { limit: query.limit ?? DEFAULT_LIMIT, offset: query.offset ?? 0 }
        const tenants = stores.tenants.listTenants(group.id, page)
        return context.json(tenantListToWire(tenants, stores.tenants.countActive(group.id), page))
      },
      POST: async (context) => {
        const group = await groupOf(context)
        const body = await decodeBody(context.req.raw, TenantShape)
        const { tenant, keys } = await provisionTenant(
          deps,
          group,
          {
            slug: body.slug,
            externalId: body.external_id ?? undefined,
            metadata: body.metadata ?? {},
          },
          occasionOf(context),
        )
        context.env.facts.schemaName = `proj_${tenant.slug}`
        return context.json({ tenant: tenantToWire(tenant), ...keysToWire(keys) }, 201)
      },
    },
    '/groups/v1/:group_id/tenants/:ref': {
      GET: async (context) => {
        const group = await groupOf(context)
        const tenant = stores.tenants.findTenant(group.id, pathParam(context, 'ref'))
        if (tenant?.state !== 'active') throw notFound('This tenant')
        context.env.facts.schemaName = `proj_${tenant.slug}`
        return context.json(tenantDetailToWire(tenant))
      },
      DELETE: async (context) => {
        const group = await groupOf(context)
        const slug = pathParam(context, 'ref')
        removeTenant(deps, group, slug)
        context.env.facts.schemaName = `proj_${slug}`
        return context.json({ ok: true })
      },
    },
    '/groups/v1/:group_id/tenants/:slug/purge': {
      DELETE: async (context) => {
        const group = await groupOf(context)
        const slug = pathParam(context, 'slug')
        const body = await decodeOptionalBody(context.req.raw, PurgeShape)
        const purge = await purgeTenant(deps, group, {
          slug,
          confirmation: body.confirm_slug ?? context.req.query('confirm'),
          requestId: context.env.requestId,
        })
        context.env.facts.schemaName = `proj_${slug}`
        if (purge.kind === 'purged')
          return context.json({ ok: true, purged: erasedToWire(purge.erased) })
        return context.json({ ok: true, pendente: true, message: PENDING_MESSAGE }, 202)
      },
    },
    '/groups/v1/:group_id/tenants/:slug/keys': {
      POST: async (context) => {
        const group = await groupOf(context)
        const slug = pathParam(context, 'slug')
        const tenant = stores.tenants.findTenant(group.id, slug)
        if (tenant?.state !== 'active' || tenant.slug !== slug) throw notFound('This tenant')
        const body = await decodeOptionalBody(context.req.raw, ManagementKeyShape)
        context.env.facts.schemaName = `proj_${slug}`
        return context.json(
          newManagementKeyToWire(mintManagementKey(deps, tenant.projectId, body)),
          201,
        )
      },
    },
  }
}

const PENDING_MESSAGE =
  'Access has ended. The erasure goes on by itself and ends within a few minutes.'
