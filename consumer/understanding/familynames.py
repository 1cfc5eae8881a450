"""Whether a name in Chinese, Japanese or Korean signs begins with a family name; pen names mostly do not."""

from __future__ import annotations

from typing import Final

from consumer.understanding.languages.words import words

#: Han signs of a family name and a given name that are hardly anything else in Japan.
_WHOLE: Final = 4
_LONGEST: Final = 6
#: Most people in China and Taiwan have one of these, most in Korea one of the syllables; of two signs: in Japan.
_ONE: Final = frozenset(
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許"
    "傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔崔康毛邱"
    "秦江史顾顧侯邵孟龙龍万萬段雷钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔庞龐樊殷施陶洪翟颜顏倪严嚴牛温溫季俞章鲁魯"
    "葛伍韦韋毕畢聂聶焦柳邢岳齐齊梅莫庄莊辛管祝涂耿詹关關苗凌费費纪紀靳童欧歐甄项項裴席屈鲍鮑覃霍翁甘景柯阮桂"
    "柴饶饒瞿戚滕臧褚娄婁穆姬屠郁喻窦竇卓佟蔺藺김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심"
    "노곽성차주우구민진엄채원천방공현함변염추"
)
_TWO: Final = words(
    "佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡部 山本 中村 小林 加藤 吉田 山田 山口 松本 井上 木村 斎藤 斉藤 齋藤 清水 "
    "山崎 池田 橋本 阿部 石川 山下 中島 石井 小川 前田 岡田 藤田 後藤 近藤 村上 遠藤 青木 坂本 福田 太田 西村 藤井 "
    "金子 岡本 藤原 中野 三浦 原田 中川 松田 竹内 小野 田村 中山 和田 石田 森田 上田 内田 柴田 酒井 宮崎 横山 高木 "
    "安藤 宮本 大野 小島 谷口 今井 工藤 高田 増田 丸山 杉山 村田 大塚 新井 小山 平野 藤本 河野 上野 野口 武田 松井 "
    "千葉 菅原 岩崎 久保 木下 佐野 野村 松尾 市川 菊地 菊池 杉本 古川 大西 島田 水野 桜井 高野 吉川 山内 西田 飯田 "
    "西川 小松 北村 安田 川口 平田 中田 服部 岩田 土屋 川崎 福島 本田 樋口 秋山 田口 永井 山中 中西 吉村 川上 石原 "
    "大橋 松岡 浜田 馬場 森本 矢野 浅野 松下 星野 吉岡 小池 荒木 野田 大谷 松浦 熊谷 黒田 尾崎 永田 川村 望月 堀内 "
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 남궁 황보 선우 "
)


def begins(name: str) -> bool:
    """Whether a name that is written without a blank is a family name and a given name."""
    if not 1 < len(name) <= _LONGEST:
        return False
    is_han = all("\u3400" <= sign <= "\u9fff" or sign == "\u3005" for sign in name)
    return (name[0] in _ONE and len(name) < _WHOLE) or name[:2] in _TWO or (is_han and len(name) >= _WHOLE)
