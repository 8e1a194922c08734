/** What a column of a file can become. */
export type Field = {
  name: string
  label: string
  /** Names of columns that mean it, as `plainName` writes them. */
  known: readonly string[]
}
export type FileKind = 'people' | 'members'

const names = (text: string): string[] => text.trim().split(/\s+/)

const people: readonly Field[] = [
  {
    name: 'email',
    label: 'Email address',
    known: names(
      'email emailaddress mail workemail workemailaddress businessemail businessemailaddress companyemail corporateemail officeemail emailwork primaryemail primaryworkemail primaryemailaddress workcontactworkemail useremail internalemail emailadresse dienstlicheemail adresseemail courriel correoelectronico userprincipalname upn',
    ),
  },
  {
    name: 'employeeId',
    label: 'Employee number',
    known: names(
      'employeeid employeenumber employeeno employee empid empno empnumber workerid workernumber staffid staffnumber personnelnumber personnelno personid personnumber personidexternal payrollid payrollnumber associateid associatenumber badgeid hrid globalid personalnummer mitarbeiternummer mitarbeiterid matricule numeroempleado userid',
    ),
  },
  {
    name: 'displayName',
    label: 'Full name',
    known: names(
      'name fullname displayname employeename workername preferredname preferredfullname legalname legalfullname commonname person vollstandigername nomcomplet nombrecompleto',
    ),
  },
  {
    name: 'firstName',
    label: 'First name',
    known: names('firstname givenname forename preferredfirstname legalfirstname vorname prenom nombre'),
  },
  {
    name: 'lastName',
    label: 'Last name',
    known: names(
      'lastname surname familyname legallastname preferredlastname nachname familienname nom apellido apellidos',
    ),
  },
  {
    name: 'username',
    label: 'Username',
    known: names('username login loginname networkid samaccountname ntlogin accountname logonname benutzername'),
  },
  {
    name: 'jobTitle',
    label: 'Job title',
    known: names(
      'jobtitle title position positiontitle businesstitle jobname role jobprofile jobprofilename jobtitledescription jobposition stelle stellenbezeichnung poste puesto',
    ),
  },
  {
    name: 'department',
    label: 'Department',
    known: names(
      'department departmentname dept deptname homedepartment homedepartmentdescription orgunit organizationalunit organization supervisoryorganization team abteilung departement departamento',
    ),
  },
  {
    name: 'managerEmail',
    label: 'Email address of the manager',
    known: names(
      'manageremail manageremailaddress supervisoremail supervisoremailaddress reportstoemail reportingtoemail linemanageremail managerworkemail managersemail bossemail vorgesetzteremail',
    ),
  },
  {
    name: 'managerId',
    label: 'Employee number of the manager',
    known: names(
      'managerid manageremployeeid manageremployeenumber managerworkerid supervisorid supervisoremployeeid reportstoid reportstoassociateid reportstopositionid linemanagerid managernumber',
    ),
  },
  {
    name: 'managerName',
    label: 'Name of the manager',
    known: names(
      'manager managername supervisor supervisorname reportsto reportingto reportstoname reportstolegalname linemanager directmanager vorgesetzter vorgesetzte managerfullname',
    ),
  },
  {
    name: 'employmentType',
    label: 'Employment type',
    known: names(
      'employmenttype employeetype workertype workertypedescriptor workercategory workercategorydescription contracttype employeecategory employeeclass workforcetype fulltimeparttime beschaftigungsart vertragsart',
    ),
  },
  {
    name: 'employmentStatus',
    label: 'Employment status',
    known: names('employmentstatus employeestatus workerstatus positionstatus hrstatus jobstatus'),
  },
  { name: 'employment', label: 'Employment status, which enables or disables', known: [] },
  {
    name: 'status',
    label: 'Enabled or disabled',
    known: names('status active isactive enabled accountenabled accountstatus userstatus state currentstatus aktiv'),
  },
]

const members: readonly Field[] = [
  {
    name: 'account',
    label: 'Username or id in the app',
    known: names(
      'username user login loginname account accountname accountid userid id member memberid samaccountname userprincipalname userlogin benutzername',
    ),
  },
  {
    name: 'accountEmail',
    label: 'Email address',
    known: names(
      'email emailaddress mail useremail workemail primaryemail memberemail owneremail accountemail emailadresse',
    ),
  },
  {
    name: 'accountName',
    label: 'Name',
    known: names('name fullname displayname membername username2 accountdisplayname realname'),
  },
  { name: 'firstName', label: 'First name', known: names('firstname givenname vorname prenom') },
  { name: 'lastName', label: 'Last name', known: names('lastname surname familyname nachname nom') },
  {
    name: 'entitlements',
    label: 'Entitlements (roles, groups)',
    known: names(
      'entitlement entitlements role roles group groups permission permissions accesslevel access team teams profile profiles license licence licenses userrole membership rolle rollen gruppe gruppen',
    ),
  },
  {
    name: 'accountStatus',
    label: 'Enabled or disabled',
    known: names('status active isactive enabled accountenabled accountstatus userstatus state suspended2 aktiv'),
  },
  {
    name: 'grantedAt',
    label: 'Access since',
    known: names('grantedat granted since accesssince startdate assignedat assigned dateadded memberfrom'),
  },
  {
    name: 'expiresAt',
    label: 'Access expires',
    known: names('expiresat expires expiry expirydate expirationdate expiration enddate validuntil accessexpires'),
  },
]

export const fieldsOf: Readonly<Record<FileKind, readonly Field[]>> = { people, members }

/** Columns that are worth keeping as attributes of the profile, and are not secrets of the personnel office. */
export const attributes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['location', 'location site office officelocation worklocation workplace locationname standort'],
    ['country', 'country countrycode workcountry countryregion land pays'],
    ['city', 'city workcity town stadt'],
    ['costCenter', 'costcenter costcentre costcentercode kostenstelle'],
    ['division', 'division businessunit divisionname businessunitname bereich'],
    ['company', 'company companyname legalentity legalentityname employer firma'],
    [
      'startDate',
      'hiredate startdate dateofhire originalhiredate employmentstartdate joindate joiningdate eintrittsdatum',
    ],
    [
      'endDate',
      'terminationdate enddate lastday lastworkingday leavingdate contractenddate employmentenddate austrittsdatum',
    ],
  ].flatMap(([attribute = '', known = '']) => names(known).map((name) => [name, attribute])),
)

/** A name of a column without what differs between systems: `E-Mail`, `Employee #`, `Work_Contact: Work Email`. */
export const plainName = (name: string): string =>
  name
    .replace(/#|№|\bno\.|\bnr\.?(?=\W|$)/gi, 'number')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

/** How a target that is an attribute of the profile begins. */
export const profilePrefix = 'profile.'
export const isAttributeName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]{0,99}$/u.test(name)
