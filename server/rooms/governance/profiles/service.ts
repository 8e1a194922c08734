export const service = 'requestcatalog.v1.RequestCatalogManagementService'
