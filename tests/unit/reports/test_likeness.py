"""Two claims say much the same, or name other people, places, days and values: in any script."""

from __future__ import annotations

from consumer.reports.likeness import alike
from tests.tables import table


@table(
    ("text", "other"),
    [
        ("王さんは社長です。", "王さんが社長である。"),
        ("王さんは社長です。", "社長は王さんです。"),
        ("王さんは社長です。", "王さんは新しい社長です。"),
        ("会議は3日です。", "会議は３日でした。"),
        ("アンナは金曜日に契約に署名する。", "金曜日にアンナが契約に署名します。"),
        ("田中さんは契約書を送る予定です。", "田中さんは契約書を送ります。"),
        ("BobはFalconの予算を承認した。", "BobがFalconの予算を承認しました。"),
        ("安娜将发送价格表。", "安娜会发送价格表。"),
        ("安娜將發送價格表。", "安娜已經發送價格表了。"),
        ("张伟将把合同寄给鲍勃。", "张伟会寄给鲍勃合同。"),
        ("李娜是新的社长。", "李娜是社长。"),
        ("会议在12月3日举行。", "12月3日会举行会议。"),
        ("안나는 금요일에 계약서에 서명한다.", "금요일에 안나가 계약서에 서명합니다."),
        ("김민수는 사장이다.", "김민수가 사장입니다."),
        ("회의는 3일입니다.", "회의는 3일이다."),
        ("แอนนาจะเซ็นสัญญาวันศุกร์", "วันศุกร์แอนนาเซ็นสัญญาแล้ว"),
        ("สมชายเป็นผู้จัดการ", "สมชายคือผู้จัดการ"),
        ("ประชุมวันที่ 3", "ประชุมจะมีวันที่ 3"),
        ("Ana signs the lease on Monday.", "On Monday Ana inks the lease."),
        ("The delivery is planned for 3 December.", "It will be delivered on 3 December."),
        ("The budget was approved by Li.", "Li approves the budget."),
        ("Jean vend la maison.", "La maison sera vendue par Jean."),
        ("Anna will send the contract to Clara by Friday.", "By Friday, Anna Silva will have sent Clara the contract."),
        ("The Falcon budget is still EUR 48,000.", "The Falcon budget is 48,000 euros."),
        ("Jörg leitet das Falcon-Projekt.", "Das Projekt Falcon leitet Jörg Klein."),
        ("Lisa kündigt ihre Wohnung zum 1. Mai.", "Lisa kündigt die Wohnung am 1. Mai."),
        ("La réunion avec Chloé est à Paris le 3 mars.", "Le 3 mars, la réunion avec Chloé a lieu à Paris."),
        ("Ana quiere vender el piso de Madrid.", "Ana quiere vender su piso en Madrid."),
        ("A Rita assina o contrato na segunda-feira.", "Na segunda-feira a Rita vai assinar o contrato."),
        ("Marta firma il contratto lunedì.", "Lunedì Marta Rossi firma il contratto."),
        ("Bram koopt het huis in Utrecht.", "Bram koopt in Utrecht een huis."),
        ("Договор в пятницу пришлёт Анна.", "Договор в пятницу пришлёт фирма Анны."),
        ("王さんは社長です。", "王さんは不動産会社の社長です。"),
        ("佐藤さんは会議に来ません。", "佐藤さんは会議に来ない。"),
        ("佐藤さんは会議に来ませんでした。", "佐藤さんは会議に来なかった。"),
        ("월세가 5월에 90만원으로 오른다.", "5월에 월세가 90만원으로 오릅니다."),
        ("김민수는 금요일까지 견적서를 보낸다.", "금요일까지 김민수가 견적서를 보냅니다."),
        ("이지은은 회의에 오지 않는다.", "이지은은 회의에 오지 않습니다."),
        ("Ana and Bob sign the lease.", "Bob and Ana sign the lease."),
        ("Silva Ana owes Bob 60 euros.", "Ana Silva owes Bob 60 euros."),
        ("Jörg und Nina kommen am Montag.", "Nina und Jörg kommen am Montag."),
        ("Ann meets Bob Marsh on Monday.", "On Monday Bob Marsh meets Ann."),
        ("Herr Jörg Klein leitet den Einkauf.", "Jörg Klein leitet den Einkauf."),
        ("Иван не придёт на встречу.", "Иван на встречу не придёт."),
        ("Ayşe cuma gününe kadar teklifi gönderecek.", "Teklifi cuma gününe kadar Ayşe gönderecek."),
    ],
)
def test_the_same_in_other_words_is_alike(text: str, other: str) -> None:
    assert alike(text, other)
    assert alike(other, text)


@table(
    ("text", "other"),
    [
        ("会議は12月3日です。", "会議は3月12日です。"),
        ("会议是三日。", "会议是十三日。"),
        ("회의는 오전 10시입니다.", "회의는 오후 10시입니다."),
        ("ประชุมวันที่ ๓", "ประชุมวันที่ ๑๓"),
        ("The deposit for the office is 900 euros.", "The deposit for the office is 900 dollars."),
        ("The trial of the software takes 3 days.", "The trial of the software takes 3 weeks."),
        ("王さんは社長です。", "李さんは社長です。"),
        ("会議は3日です。", "会議は5日です。"),
        ("会議は3月3日です。", "会議は3月5日です。"),
        ("会議は三日です。", "会議は五日です。"),
        ("アンナは契約に署名する。", "マリアは契約に署名する。"),
        ("さくらさんは社長です。", "ひかりさんは社長です。"),
        ("王さんは契約に署名する。", "王さんは契約に署名しない。"),
        ("BobはFalconの予算を承認した。", "AnnはFalconの予算を承認した。"),
        ("田中さんは東京で契約書に署名しました。", "田中さんは大阪で契約書に署名しました。"),
        ("张伟将寄送合同。", "李娜将寄送合同。"),
        ("于洋是社长。", "李洋是社长。"),
        ("会议在北京举行。", "会议在上海举行。"),
        ("安娜将发送价格表。", "安娜将不发送价格表。"),
        ("王明不来开会。", "王明没来开会。"),
        ("王明来开会。", "王明没来开会。"),
        ("王明把合同寄给张伟。", "王明把合同寄给李娜。"),
        ("预算是48k。", "预算是52k。"),
        ("張偉將寄送合同給客戶。", "李娜將寄送合同給客戶。"),
        ("김민수는 사장이다.", "이민수는 사장이다."),
        ("김민수가 계약서에 서명한다.", "김민호가 계약서에 서명한다."),
        ("회의는 3일입니다.", "회의는 5일입니다."),
        ("안나는 계약서에 서명한다.", "안나는 계약서에 서명하지 않는다."),
        ("회의는 서울에서 열립니다.", "회의는 부산에서 열립니다."),
        ("สมชายเป็นผู้จัดการ", "สมหญิงเป็นผู้จัดการ"),
        ("แอนนาจะเซ็นสัญญาวันศุกร์", "แอนนาจะไม่เซ็นสัญญาวันศุกร์"),
        ("ประชุมวันที่ 3", "ประชุมวันที่ 5"),
        ("แอนนาจะเซ็นสัญญาวันศุกร์", "มาเรียจะเซ็นสัญญาวันศุกร์"),
        ("Anna will send the contract to Clara by Friday.", "Rita will send the contract to Clara by Friday."),
        ("Ana signs the lease on Monday.", "Ana signs the lease on Thursday."),
        ("The board meeting starts at 9:00.", "The board meeting starts at 11:00."),
        ("Bob leaves the company in May.", "Bob does not leave the company in May."),
        ("Jörg unterschreibt den Mietvertrag am Montag.", "Nina unterschreibt den Mietvertrag am Montag."),
        ("Die Besprechung findet in Berlin statt.", "Die Besprechung findet in Hamburg statt."),
        ("La réunion avec Chloé est le 3 mars.", "La réunion avec Chloé est le 5 mars."),
        ("Le loyer du bureau est de 900 euros.", "Le loyer du bureau est de 1200 euros."),
        ("Ana quiere vender el piso de Madrid.", "Luis quiere vender el piso de Madrid."),
        ("A Rita assina o contrato na segunda-feira.", "A Joana assina o contrato na segunda-feira."),
        ("Marta firma il contratto lunedì.", "Marta firma il contratto venerdì."),
        ("Bram koopt het huis in Utrecht.", "Bram koopt het huis niet."),
        ("Sanne betaalt de factuur van 300 euro.", "Sanne betaalt de factuur van 500 euro."),
        ("Анна подпишет договор в пятницу.", "Иван подпишет договор в пятницу."),
        ("Chloé vient à la réunion lundi.", "Chloé ne vient pas à la réunion lundi."),
        ("Ana viene a la reunión del lunes.", "Ana no viene a la reunión del lunes."),
        ("Jörg kommt am Montag zur Besprechung.", "Jörg kommt am Montag nicht zur Besprechung."),
        ("Anna pays 900 euros a month for the office.", "Anna pays 900 euros a year for the office."),
        ("김민수는 돈을 보낸다.", "김민수는 책을 보냅니다."),
        ("Иван придёт на встречу.", "Иван не придёт на встречу."),
        ("Piotr przyjdzie na spotkanie.", "Piotr nie przyjdzie na spotkanie."),
        ("Mehmet toplantıya gelecek.", "Mehmet toplantıya gelmeyecek."),
        ("Mehmet faturayı ödedi.", "Mehmet faturayı ödemedi."),
        ("Bu toplantı salı günü.", "Bu toplantı salı günü değil."),
        ("Ayşe bugün ofise geliyor.", "Ayşe bugün ofise gelmiyor."),
        ("Frau Klein leitet den Einkauf.", "Herr Klein leitet den Einkauf."),
        ("Mr Klein leads the purchasing.", "Mrs Klein leads the purchasing."),
    ],
)
def test_another_person_place_day_or_value_is_another_claim_and_so_is_a_denial(text: str, other: str) -> None:
    assert not alike(text, other)
    assert not alike(other, text)


@table(
    ("text", "other"),
    [
        ("Ana owes Bob 60 euros.", "Bob owes Ana 60 euros."),
        ("Bob reports to Clara.", "Clara reports to Bob."),
        ("You owe Tom 60 dollars.", "Tom owes you 60 dollars."),
        ("Du schuldest Tim 60 Euro.", "Tim schuldet dir 60 Euro."),
        ("Marc doit 60 euros à Julie.", "Julie doit 60 euros à Marc."),
        ("Pablo debe 60 euros a Ana.", "Ana debe 60 euros a Pablo."),
        ("Ana Silva owes Bob 60 euros.", "Bob owes Ana 60 euros."),
    ],
)
def test_who_does_it_to_whom_is_part_of_the_claim(text: str, other: str) -> None:
    assert not alike(text, other)
    assert not alike(other, text)


@table(
    ("text", "other"),
    [
        ("安娜将发送价格表。", "安娜会寄送价格表。"),
        ("안나는 계약서에 서명한다.", "안나는 계약서를 체결한다."),
        ("Ana signs the lease.", "Rob paid the gardener on Tuesday."),
        ("...", "..."),
    ],
)
def test_synonyms_and_other_texts_are_not_alike(text: str, other: str) -> None:
    assert not alike(text, other)


def test_a_longer_text_with_all_of_a_shorter_one_is_alike() -> None:
    assert alike("社長は王さんです。", "社長は王さんと李さんです。")
    assert alike("Bob is CEO.", "Bob is CEO and pays the rent.")
