// Routes of /groups/v1/:group_id and its tenants, for the vendor's backend (docs/wire/platform.md#tenant).
import { z } from 'zod'
import { pathParam } from '../../../core/mount-routes.ts'
import type { ControlDeps } from '../deps.ts'
import { notFound } from '../errors.ts'
import type { Group } from '../groups/groups.ts'
import { mintManagementKey } from '../keys/issue-keys.ts'
import { ManagementKeyShape } from '../keys/key-routes.ts'
import {
  countShape,
  decodeBody,
  decodeOptionalBody,
  decodeQuery,
  jsonObjectShape,
  optionalText,
  slugShape,
} from '../request/request-body.ts'
import {
  BODY_CODES,
  type ControlRoutes,
  groupOf,
  OWNED_CODES,
  originOf,
  presentGroupOfKey,
} from '../request/route.ts'
import {
  erasedToWire,
  keysToWire,
  newManagementKeyToWire,
  tenantDetailToWire,
  tenantListToWire,
  tenantToWire,
} from '../wire.ts'
import { provisionTenant } from './provision-tenant.ts'
import { purgeTenant, removeTenant } from './remove-tenant.ts'
import type { Tenant } from './tenants.ts'

const TenantShape = z
  .object({
    slug: slugShape,
    external_id: optionalText,
    metadata: jsonObjectShape.nullish(),
  })
  .meta({ required: ['slug'] })

const PageShape = z.object({
  limit: countShape(1, 200).optional(),
  offset: countShape(0, Number.MAX_SAFE_INTEGER).optional(),
})

const PurgeShape = z.object({ confirm_slug: slugShape })

/** The hosted platform also accepts the confirmation in the query (docs/wire/platform.md#purge). */
const PurgeQuery = z.object({ confirm: z.string().optional() })

const DEFAULT_LIMIT = 50

export const TENANT_ROUTES: ControlRoutes = {
  'POST /groups/v1/:group/tenants': {
    operation: 'tenant.provision',
    title: 'Provisions a tenant',
    codes: [
      'invalid_slug',
      'slug_reservado',
      'slug_taken',
      'tenant_quota_exceeded',
      'tenant_limit_reached',
      'template_indisponivel',
      'forbidden',
      ...BODY_CODES,
    ],
    body: TenantShape,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const body = await decodeBody(context.req.raw, TenantShape)
      const { tenant, keys } = await provisionTenant(
        deps,
        presentGroupOfKey(deps, group),
        {
          slug: body.slug,
          externalId: body.external_id ?? undefined,
          metadata: body.metadata ?? {},
        },
        originOf(context),
      )
      context.env.facts.schemaName = `proj_${tenant.slug}`
      return context.json({ tenant: tenantToWire(tenant), ...keysToWire(keys) }, 201)
    },
  },
  'GET,HEAD /groups/v1/:group/tenants': {
    operation: 'tenant.list',
    title: 'Lists tenants',
    codes: ['forbidden', 'invalid_request'],
    query: PageShape,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const query = decodeQuery(context.req.url, PageShape)
      const page = { limit: query.limit ?? DEFAULT_LIMIT, offset: query.offset ?? 0 }
      const tenants = deps.stores.tenants.listTenants(group.id, page)
      return context.json(
        tenantListToWire(tenants, deps.stores.tenants.countActive(group.id), page),
      )
    },
  },
  'GET,HEAD /groups/v1/:group/tenants/:tenant': {
    operation: 'tenant.read',
    title: 'Reads a tenant',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const tenant = deps.stores.tenants.findTenant(group.id, pathParam(context, 'tenant'))
      if (tenant?.state !== 'active') throw notFound('This tenant')
      context.env.facts.schemaName = `proj_${tenant.slug}`
      return context.json(tenantDetailToWire(tenant))
    },
  },
  'DELETE /groups/v1/:group/tenants/:tenant': {
    operation: 'tenant.remove',
    title: 'Removes a tenant',
    codes: OWNED_CODES,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const slug = pathParam(context, 'tenant')
      await removeTenant(deps, group, slug)
      context.env.facts.schemaName = `proj_${slug}`
      return context.json({ ok: true })
    },
  },
  'DELETE /groups/v1/:group/tenants/:tenant/purge': {
    operation: 'tenant.purge',
    title: 'Erases a tenant',
    codes: [
      'confirmation_required',
      'template_protected',
      'pendente',
      ...OWNED_CODES,
      ...BODY_CODES,
    ],
    query: PurgeQuery,
    body: PurgeShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const slug = pathParam(context, 'tenant')
      const body = await decodeOptionalBody(context.req.raw, PurgeShape)
      const purge = await purgeTenant(deps, presentGroupOfKey(deps, group), {
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
  'POST /groups/v1/:group/tenants/:tenant/keys': {
    operation: 'tenant.create_key',
    title: 'Creates a management key of a tenant',
    codes: [...OWNED_CODES, ...BODY_CODES],
    body: ManagementKeyShape,
    isBodyOptional: true,
    handler: (deps) => async (context) => {
      const group = await groupOf(deps, context)
      const slug = pathParam(context, 'tenant')
      activeTenant(deps, group, slug)
      const body = await decodeOptionalBody(context.req.raw, ManagementKeyShape)
      // Looks the tenant up again, because another request can remove or purge it while the body arrives.
      const { projectId } = activeTenant(deps, group, slug)
      context.env.facts.schemaName = `proj_${slug}`
      return context.json(newManagementKeyToWire(mintManagementKey(deps, projectId, body)), 201)
    },
  },
}

function activeTenant({ stores }: ControlDeps, group: Group, slug: string): Tenant {
  const tenant = stores.tenants.findTenant(group.id, slug)
  if (tenant?.state !== 'active' || tenant.slug !== slug) throw notFound('This tenant')
  return tenant
}

const PENDING_MESSAGE =
  'Access has ended. The erasure continues in the background and ends within a few minutes.'
