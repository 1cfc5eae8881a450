"""Words for the same in seven languages, by how they begin: enough to tell what a clause of another language denies."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from consumer.understanding.text import fold

_CODES: Final = ("en", "de", "fr", "es", "pt", "it", "nl")
#: One a line: how words for it begin in English, German, French, Spanish, Portuguese, Italian and Dutch. The first
#: English one names it.
_TABLE: Final = """
    refund | rückzahl rückerstatt erstatt | rembours | reembols | reembols | rimbors | terugbetaa restitu
    sign | unterschr unterzeichn | sign | firm | assin | firm | teken getekend onderteken
    pay paid | bezahl gezahlt | payé payer pay | pagad pagar pagó pagu | pago paga pagu | pagat pagar | betaa
    send sent | schick geschickt verschick gesendet sende | envo | envi mand | envi mand | invi mand | stuur gestuur
    include including | enth inklusiv inbegriff | compr inclu | inclu | inclu | compres includ inclus | inbegrep
    deliver | liefer geliefert | livr | entreg | entreg | consegn | lever gelever bezorg
    book reserv | buch gebucht reserv | réserv | reserv | reserv | prenot | boek geboekt reserv
    confirm | bestätig | confirm | confirm | confirm | conferm | bevestig
    approve approv | genehmig freigegeb | approuv | aprob | aprov | approv | goedgekeur goedkeur
    transfer | übertrag | transfér cessib | transfer | transfer transmiss | trasfer cedibil | overdra
    ready | fertig bereit | prêt | list | pront | pront | klaar
    available | verfügbar | disponib | disponib | disponív dispon | disponib | beschikba
    arrive arriv | angekommen ankomm eingetroffen | arriv | lleg | cheg | arriv | aangekomen
    accept | angenommen akzept annehm | accept | acept | aceit | accett | geaccepteer aanvaard
    cancel | storn abgesag absag | annul | cancel anul | cancel anul | annull disdett | annul geannul
    sell sold | verkauf | vend | vend | vend | vend | verko
    buy bought purchas | kauf gekauft | achet achèt | compr | compr | compr acquist | koop kocht gekocht
    order | bestell | command | pedido encarg | encomend | ordin | bestel
    valid | gültig | valable valid | válid | válid | valid | geldig
    open | geöffnet offen | ouvert | abiert | abert | apert | open geopend
    insure insur | versicher | assur | asegur | segur | assicur | verzeker
    allow permit | erlaub gestatt | permis autoris | permit | permit | permess consentit | toegestaan
    furnish | möblier | meubl | amuebl | mobilad mobiliad | arredat ammobil | gemeubil
    change | geändert änder | chang modif | cambi modific | mudad alter | cambi modific | gewijzig wijzig
    finish complet | beendet abgeschlossen | fini termin | termin acab | termin acab | finit termin | afgerond
    contract lease | vertrag mietvertrag | contrat bail | contrat | contrat | contratt | contract huurcontract
    deposit | kaution anzahlung | caution acompte | fianza depósit | caução depósit | cauzion caparra | borg aanbetal
    invoice bill | rechnung | factur | factur | fatur | fattur | factur factuur
    rent | miete | loyer | alquiler | renda alugue | affitt | huur
    ticket | karte ticket | billet | entrada billete | bilhete ingresso | bigliett | kaart ticket
    breakfast | frühstück | petit-déjeuner déjeuner | desayun | pequeno-almoço | colazion | ontbijt
    drink beverage | getränk | boisson | bebida | bebida | bevand | drank drankje
    parking | parkplatz stellplatz | parking stationnement | aparcamiento | estacionament | parchegg | parkeer
    heating | heizung heizkosten | chauffage | calefacción | aquecimento | riscaldament | verwarming
    tax vat | steuer mehrwertsteuer mwst | taxe tva | impuesto iva | imposto iva | imposta tasse iva | belasting btw
    pet | haustier | animal animaux | mascota | animal animais | animal | huisdier
    smoke smoking | rauch | fum | fum | fum | fum | roken rook
    ship shipping | versand | expédi | envío gastos | portes expedi | spedi spedizion | verzend
    attend | teilnehm | assist particip | asist particip | assist particip | partecip | deelnem deelneem
    agree | einverstanden zugestimmt | accord | acuerdo | acordo concord | accordo | akkoord
"""


def named(text: str, language: str) -> frozenset[str]:
    """The concepts of the table that a text names, by their English words."""
    pattern = _patterns().get(language[:2])
    if pattern is None:
        return frozenset()
    return frozenset(_NAMES[int(str(hit.lastgroup)[1:])] for hit in pattern.finditer(fold(text)))


_NAMES: Final = tuple(line.split()[0] for line in _TABLE.strip().splitlines())


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    columns: list[list[str]] = [[] for _ in _CODES]
    for number, line in enumerate(_TABLE.strip().splitlines()):
        for column, cell in zip(columns, line.split("|"), strict=True):
            column.append(f"(?P<_{number}>{'|'.join(re.escape(each) for each in cell.split())})")
    return {
        code: re.compile(rf"(?<!\w)(?:{'|'.join(column)})\w*") for code, column in zip(_CODES, columns, strict=True)
    }
