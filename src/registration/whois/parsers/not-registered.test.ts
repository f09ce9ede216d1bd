import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const asked = { domain: 'hoshi.example' };

/** What servers, proxies and databases in trouble say, in the words of a "no". */
const trouble = [
  'HTTP/1.1 404 Not Found\nContent-Type: text/plain\n\nNot found',
  '<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>',
  '<?xml version="1.0"?><error>Object not found</error>',
  '{"error":"not found"}',
  '[{"message": "domain not found"}]',
  'This WHOIS server does not exist any longer. See https://rdap.registry.example/',
  'Not found.\nThis WHOIS server does not exist any longer.',
  'Not Found\nThe requested URL was not found on this server.',
  'Your IP address was not found in the list of authorised clients.',
  'There is no WHOIS service for this zone.',
  'TLD not found',
  'Zone does not exist',
  'Error: host not found',
  'No match for your IP address in our access list.',
  'There is no connection to the database.',
  'No information available: the WHOIS database is being updated.',
  'Authentication failed: user not found',
  'Domain not found on this server. Try whois.other.example',
  'The domain is free of charge in the first year but is already taken.',
  '404 Not Found',
  '404 page not found',
  'Status: 404 Not Found',
  'default backend - 404',
  '404: object does not exist',
  'Cache entry not found',
  'No matching handler found',
  'No match found for request route',
  'File not found',
  'The requested object does not exist on this server',
  'ERROR:  relation "domains" does not exist',
  "Table 'whois.domains' doesn't exist",
  'Domain controller not found',
  'Domain lookup failed: host not found',
  'hoshi.example: host not found',
  'Domain hoshi.example: server not found',
  'Domain hoshi.example not found in /etc/whois.conf',
  'No entries found because the index is being rebuilt',
  'Maintenance: no entries found until 06:00 UTC',
  'Timeout: domain not found',
  'The whois service for this domain is not available',
  'Whois information for this domain is available at https://rdap.registry.example/domain/hoshi.example',
  'Domain information is available via RDAP only',
  'This service is free',
  'The service is available again at 14:00',
  'The domain name system is available',
  'Is this domain available?',
  'Unknown domain extension',
  'No such domain class configured',
  'Client not registered. Please register your IP address to use the service.',
  'Your host is not registered for access to this service',
  'You are not registered',
  'This registry does not exist',
  'No WHOIS server found',
  'No entries found in access control list',
  'Record not found: session 123',
  "Database 'whois' does not exist",
  'Account does not exist',
  'Le serveur est introuvable. Domaine non trouvé sur ce serveur.',
  'La base de datos no está disponible: dominio no encontrado',
  'Der WHOIS-Dienst wurde eingestellt. Domain nicht gefunden.',
  'Zone nicht gefunden',
  'Servidor no encontrado',
  'Não existe ligação à base de dados',
  'Сервер не найден',
  'База данных не найдена',
  'サーバが見つかりません',
  'データベースに接続できません。該当するデータがありません',
  '服务器未注册',
  'Domain yoru.example not found',
  'No match for "yoru.example".',
  'hoshi.example is available for sale.',
  'The domain is registered but not in use',
  'Registration status of hoshi.example not known',
  'The domain hoshi.example has not been registered by you.',
  'You do not have an entry for hoshi.example',
  'You have no domains found',
  'Domain hoshi not found in .example2',
  'No match for hoshi.example.\nIt cannot be registered.',
  'hoshi.example not found\nUse is forbidden',
  'Not found\nUnavailable',
  'No match\nRestricted',
  'No match for hoshi.example\nblocked by policy',
  // A program has filled nothing in.
  'No match for ""',
  "Domain '' not found",
  'No match for {domain}',
  'No match for "$domain"',
  'No match for [object Object]',
];

describe('a server in trouble never says "no"', () => {
  test.each(trouble)('%j', (text) => {
    for (const hints of [asked, { domain: 'yoru-no-umi.example' }]) {
      const { state } = parseWhoisText(text, hints);
      expect(state).not.toBe('not_registered');
      expect(state).not.toBe('registered');
      expect(state).not.toBe('reserved');
    }
  });
});

describe('a "no" that is earned', () => {
  test.each([
    'No match for "HOSHI.EXAMPLE".',
    'hoshi.example is free',
    '% No entries found in the HOSHI Database.',
    'No information available about domain name hoshi.example in the Registry HOSHI database.',
    'Sorry, but domain: "hoshi.example", not found in database',
    'The requested domain was not found in the Registry or Registrar’s WHOIS Server.',
    'We could not find the requested domain on our system',
    'Object does not exist',
    'Nothing found',
    'Not found.',
    'Available',
    '%ERROR:101: no entries found',
    'Dominio no encontrado',
    "Le domaine hoshi.example n'existe pas",
    'Die Domain ist nicht registriert.',
    'O domínio não está registrado',
    'Домен не найден',
    'Nie znaleziono domeny hoshi.example',
    'alan adı bulunamadı',
    '域名未注册',
    'HOSHI.EXAMPLE - Available',
    'No match for hoshi.example.\nReserved names are listed on our pages.',
    'No match for hoshi.example.\nAll rights are reserved by the registry.',
    'No match for "access.example".'.replace('access', 'hoshi'),
  ])('%j', (text) => {
    expect(parseWhoisText(text, asked).state).toBe('not_registered');
  });

  test('stands though words of machinery are part of the name', () => {
    expect(parseWhoisText('No match for "server.example".', { domain: 'server.example' }).state).toBe(
      'not_registered',
    );
  });

  test('names the domain in whichever form of its letters', () => {
    const { state } = parseWhoisText('No match for "bücher.example".', { domain: 'xn--bcher-kva.example' });
    expect(state).toBe('not_registered');
  });
});

describe('"registered" takes a fact beside the name', () => {
  test.each([
    'Registered: no',
    'Availability: Available',
    'Result: free',
    'Error: internal failure',
    'Message: Please try later',
    'Time: 2026-01-02 03:04:05',
    'Last update: 2026-01-02',
    'Status: error',
    'Status: lookup failed',
    'Registered: no\nError: none',
    'Registrar: <registrar>',
    'Registrant: You?',
    'Registrant: This domain is free',
  ])('%j is none', (line) => {
    expect(parseWhoisText(`Domain: hoshi.example\n${line}\n`, asked).state).toBe('broken');
  });

  test.each([
    'Status: active',
    'Registrar: Kamome',
    'Created: 2020-01-02',
    'nserver: ns.host.example',
    'Owner: Kamome',
  ])('%j is one', (line) => {
    expect(parseWhoisText(`Domain: hoshi.example\n${line}\n`, asked).state).toBe('registered');
  });
});

describe('throttling, in many words', () => {
  test.each([
    'Query rate limit exceeded. Reduced information.\n\n% No match for hoshi.example',
    'You are querying too quickly',
    'Your quota is used up',
    'Too many simultaneous connections from your address',
    'Access blocked from your country',
    'Requests from your network are blocked',
    'You have been rate limited',
    'Rate limit reached',
    'Concurrent connection limit',
    'Limite de consultas excedido',
    'Trop de requêtes, réessayez plus tard',
    'Zu viele Anfragen',
    'Слишком много запросов',
    '查询过于频繁',
    'Please wait 30 seconds before your next query',
    'Slow down',
    'Query limit for today reached',
    '<html><body>429 Too Many Requests</body></html>',
  ])('%j', (text) => {
    expect(parseWhoisText(text, asked).state).toBe('throttled');
  });
});
